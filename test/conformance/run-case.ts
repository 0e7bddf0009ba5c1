import { type Job, type JobBuilder, job } from 'tidemark'
import { MemoryStateDirectory } from '../../src/adapters/memory/state-directory.ts'
import { utf8ByteString } from '../../src/core/bytes.ts'
import type { Header } from '../../src/core/headers.ts'
import type { RunRow } from '../../src/ports/history.ts'
import type { StateFile } from '../../src/ports/state-file.ts'
import { SliceCounts } from '../../src/runtime/counts.ts'
import { jobInputs } from '../../src/runtime/input/job-inputs.ts'
import { PartitionInput } from '../../src/runtime/input/partition-input.ts'
import { Processor } from '../../src/runtime/processor.ts'
import { runningRow } from '../../src/runtime/run-rows.ts'
import { sinkTopic } from '../../src/runtime/sinks.ts'
import { StoreReader } from '../../src/runtime/stores/store-reader.ts'
import { StoreViews } from '../../src/runtime/stores/store-views.ts'
import { AT } from '../../src/wire/batch-layout.ts'
import { BatchWriter } from '../../src/wire/batch-writer.ts'
import { writeInt64 } from '../../src/wire/int64.ts'
import type { VectorCase, VectorRecord, VectorRow } from './vectors.ts'

/** What a run of a case gives, in the words of the vectors. */
export type CaseResult = Omit<VectorCase, 'seed' | 'input'>

export interface CaseOptions {
  /** Entries that the write-behind may hold. */
  readonly cacheEntries?: number
  /** The state is committed, and everything made anew, after this many records each. */
  readonly sliceRecords?: number
  readonly roundTripExchanges?: boolean
}

/** Pipes the records of a case through a topology, each processed to its end before the next, one partition a topic. */
export function runCase(
  id: string,
  build: (builder: JobBuilder) => void,
  input: readonly VectorRecord[],
  options: CaseOptions = {},
): CaseResult {
  const run = new CaseRun(job(id, {}, build), options)
  const outputsPerInput: number[] = []
  let failedAt: number | undefined
  for (const [index, record] of input.entries()) {
    const before = run.output.length
    try {
      run.pipe(record)
    } catch (error) {
      if (!run.mayFail(error)) throw error
      failedAt = index
    }
    outputsPerInput.push(run.output.length - before)
    if (failedAt !== undefined) break
    if ((index + 1) % (options.sliceRecords ?? Number.POSITIVE_INFINITY) === 0) run.cut()
  }
  const result = { output: run.output, outputsPerInput, stores: run.stores(), dropped: run.dropped }
  return failedAt === undefined ? result : { ...result, failedAt }
}

class CaseRun {
  readonly output: VectorRecord[] = []
  readonly #job: Job
  readonly #file: StateFile
  readonly #inputs: ReadonlyMap<string, PartitionInput>
  readonly #counts = new SliceCounts()
  readonly #options: CaseOptions
  readonly #run: RunRow
  #views: StoreViews
  #processor: Processor
  #commits = 0

  constructor(topology: Job, options: CaseOptions) {
    this.#job = topology
    this.#options = options
    const loaded = { job: topology, path: topology.name, hash: '' }
    this.#run = runningRow({ runId: 'r1', loaded, generation: 'g1', trigger: 'test', startedAt: 0, plan: null })
    this.#file = new MemoryStateDirectory().open(topology.name, 'g1', { create: true })
    const policies = { job: topology.name, onBadData: 'fail', maxFutureSkew: null, skips: new Map(), now: 0 } as const
    this.#inputs = new Map(
      jobInputs(topology).map((source, order) => {
        const start = { topic: source.topic.name, partition: 0, from: 0, to: 1_000_000, floor: -1, partitionTime: -1 }
        return [source.topic.name, new PartitionInput(source, start, order, policies)]
      }),
    )
    this.#views = this.#newViews()
    this.#processor = this.#newProcessor({})
  }

  pipe(record: VectorRecord): void {
    const input = this.#inputs.get(record.topic)
    if (input === undefined) throw new Error(`the topology does not read ${record.topic}`)
    const offset = input.position
    input.feed({ batches: [batchOf(record, offset)], nextOffset: offset + 1 })
    const { rejection } = input
    if (rejection === null) {
      this.#processor.feed(input.source.nodeId, 0, input, input.key, input.value, input.timestamp)
    } else {
      if (rejection.action === 'fail') throw rejection.error
      this.#counts.skipped(input.source.step, rejection.reason)
    }
    input.advance()
  }

  /** Ends a slice, and goes on with nothing but what is committed. */
  cut(): void {
    this.#views.flush()
    this.#commit()
    this.#views.committed()
    this.#views = this.#newViews()
    this.#processor = this.#newProcessor(this.#processor.streamTimes(), this.#processor.punctuations())
  }

  /** True for the failures that vectors foresee: timestamps. */
  mayFail(error: unknown): boolean {
    return error instanceof Error && 'code' in error && error.code === 'TIMESTAMP_INVALID'
  }

  /** What the stores hold, those too that the vectors do not name. */
  stores(): Record<string, readonly VectorRow[]> {
    this.#views.flush()
    const stores: Record<string, readonly VectorRow[]> = {}
    for (const name of Object.keys(this.#views.formats())) {
      const rows: VectorRow[] = []
      for (const { key, value, start, end } of new StoreReader(this.#file, this.#job, name).entries()) {
        rows.push(start === undefined ? [key, value] : [key, value, start, end])
      }
      stores[name] = rows.sort(rowOrder)
    }
    return stores
  }

  /** Records and windows left out with a count. */
  get dropped(): number {
    let dropped = 0
    for (const counts of Object.values(this.#counts.addedTo({}))) {
      dropped += counts.droppedWindows ?? 0
      for (const count of Object.values(counts.skipped ?? {})) dropped += count
    }
    return dropped
  }

  #newViews(): StoreViews {
    return new StoreViews(this.#file, this.#job.topology, this.#options.cacheEntries ?? 1000)
  }

  #newProcessor(
    streamTimes: Readonly<Record<string, number>>,
    punctuations: Readonly<Record<string, number>> = {},
  ): Processor {
    return new Processor({
      topology: this.#job.topology,
      stores: this.#views,
      exchangePartitions: 1,
      roundTripExchanges: this.#options.roundTripExchanges ?? false,
      now: 0,
      streamTimes,
      punctuations,
      counts: this.#counts.of,
      emit: (sink, _task, key, value, timestamp, headers) => {
        const node = this.#job.topology.nodes[sink]
        const topic = node === undefined ? null : sinkTopic(node)
        if (topic === null) throw new Error(`node ${sink} is no sink`)
        const record = { topic, key: parsed(key), value: parsed(value), timestamp }
        const texts = headers.map(([name, bytes]) => [name, Buffer.from(bytes ?? []).toString('utf8')] as const)
        this.output.push(texts.length === 0 ? record : { ...record, headers: texts })
      },
    })
  }

  #commit(): void {
    const seq = ++this.#commits
    const token = { seq, id: `t${seq}`, parent: seq === 1 ? null : `t${seq - 1}` }
    this.#file.commit({
      checkpoint: { token, bytes: new Uint8Array(0) },
      outbox: { token, endsRun: false, batches: [] },
      run: this.#run,
      events: [],
    })
  }
}

function batchOf(record: VectorRecord, offset: number): Uint8Array {
  const writer = new BatchWriter()
  const headers = (record.headers ?? []).map(([name, text]): Header => [name, Buffer.from(text, 'utf8')])
  const key = record.key === null ? null : utf8ByteString(JSON.stringify(record.key))
  const value = record.value === null ? null : Buffer.from(JSON.stringify(record.value), 'utf8')
  writer.append(record.timestamp, key, value, headers)
  const batch = writer.finish()
  writeInt64(batch, AT.baseOffset, offset)
  return batch
}

function parsed(bytes: string | Uint8Array | null): unknown {
  if (bytes === null) return null
  return JSON.parse(
    typeof bytes === 'string' ? Buffer.from(bytes, 'latin1').toString('utf8') : Buffer.from(bytes).toString('utf8'),
  )
}

function rowOrder(one: VectorRow, other: VectorRow): number {
  const [left, right] = [JSON.stringify(one[0]), JSON.stringify(other[0])]
  if (left !== right) return left < right ? -1 : 1
  return Number(one[2] ?? 0) - Number(other[2] ?? 0) || Number(one[3] ?? 0) - Number(other[3] ?? 0)
}
