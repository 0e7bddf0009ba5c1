import { bytes, type Job, topic } from 'tidemark'
import { expect, onTestFinished } from 'vitest'
import { toByteString } from '../../../src/core/bytes.ts'
import { decodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { isTidemarkError, type TidemarkError } from '../../../src/core/errors.ts'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import type { Log, StagedBatch } from '../../../src/ports/log.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { type RunReport, runReport } from '../../../src/runtime/run-report.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import type { ReadRecord } from '../../../src/testing/test-record.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import type { CodecName } from '../../../src/wire/codec.ts'
import { WORLDS, type World } from '../../laws/support/worlds.ts'
import { type NotedRecord, note, noted } from './notation.ts'

export type Given = string | NotedRecord

/** What a test changes of the environment of one process. */
export type Change = (env: Environment) => Environment

export type Place = Pick<World, 'process' | 'crash' | 'end'>

/** Where a case is played: topics filled by hand, a job run again and again as a process of its own, and what came out. */
export class Field {
  readonly #world: Place
  readonly #lasting: Environment

  constructor(world: Place | keyof typeof WORLDS) {
    const made = typeof world === 'object' ? world : WORLDS[world]?.()
    if (made === undefined) throw new Error(`there is no world ${world}`)
    this.#world = made
    this.#lasting = this.#world.process()
    onTestFinished(() => this.#world.end())
  }

  /** A process that does nothing of its own. */
  get env(): Environment {
    return this.#lasting
  }

  get log(): Log {
    return this.#lasting.log
  }

  async topic(name: string, partitions = 1, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.log.admin().create({ name, partitions, settings })
  }

  /** Appends records, each in a batch of its own. */
  async write(topic: string, ...records: readonly Given[]): Promise<void> {
    for (const record of records) await this.batch(topic, 'none', record)
  }

  /** Appends records of one partition as one batch. */
  async batch(topic: string, codec: CodecName, ...records: readonly Given[]): Promise<void> {
    const given = records.map((record) => (typeof record === 'string' ? noted(record) : record))
    const [first] = given
    if (first === undefined) return
    const { partition, offset } = first
    const [bounds] = await this.log.bounds([{ topic, partition }], 'read_uncommitted')
    if (offset !== undefined) expect(bounds?.highWatermark).toBe(offset)
    await this.log.admin().append([batchOf(topic, codec, given)])
  }

  /** Runs the job as a process of its own, and gives its last run's report. */
  async run(job: Job, request: Partial<RunRequest> = {}, change: Change = (env) => env): Promise<RunReport> {
    const env = change(this.#world.process())
    const { runs } = await new Runner(env).run(
      { job, path: 'jobs/case.ts', hash: 'hash' },
      { trigger: 'test', ...request },
    )
    const last = runs.at(-1)
    if (last === undefined) throw new Error('a run has a row')
    return runReport(last)
  }

  /** Runs the job, which has to fail, and gives the error. */
  async fail(job: Job, request: Partial<RunRequest> = {}, change?: Change): Promise<TidemarkError> {
    try {
      await this.run(job, request, change)
    } catch (error) {
      if (isTidemarkError(error)) return error
      throw error
    }
    throw new Error('the run should have failed')
  }

  /** All processes are gone. */
  crash(): void {
    this.#world.crash()
  }

  /** The next offsets to read, by `topic/partition`; null before the first commit. */
  checkpoint(job: Job, generation = 'g1'): Readonly<Record<string, number>> | null {
    const stored = this.#reading(job, generation, (file) => file.checkpoint())
    return stored === undefined ? null : decodeCheckpoint(stored.bytes).offsets
  }

  /** The rows of a store: `a=2`, or `a[0,10)=2`. */
  store(job: Job, name: string, generation = 'g1'): readonly string[] | undefined {
    return this.#reading(job, generation, (file) =>
      [...new StoreReader(file, job, name).entries()].map(({ key, start, end, value }) => {
        const window = start === undefined ? '' : `[${start},${end})`
        return `${shown(key)}${window}=${shown(value)}`
      }),
    )
  }

  /** The history: what changed the state beside input records. */
  events(job: Job): readonly { readonly kind: string; readonly detail: unknown }[] {
    return this.#reading(job, 'g1', (file) => file.events().map(({ kind, detail }) => ({ kind, detail }))) ?? []
  }

  /** The committed records of a topic as notes, by partition and offset. */
  async out(name: string): Promise<readonly string[]> {
    return (await this.records(name)).map(({ key, value, timestamp }) => note(key, value, timestamp))
  }

  /** The committed records of a topic in bytes, by partition and offset. */
  async records(name: string): Promise<readonly ReadRecord<Uint8Array, Uint8Array>[]> {
    // The serdes of RAW are bytes.
    return (await readTopic(this.log, { ...RAW, name }, new Map())) as ReadRecord<Uint8Array, Uint8Array>[]
  }

  #reading<T>(job: Job, generation: string, read: (file: StateFile) => T): T | undefined {
    const file = this.#lasting.state.open(job.name, generation, { create: false, readonly: true })
    if (file === undefined) return undefined
    try {
      return read(file)
    } finally {
      file.close()
    }
  }
}

const RAW = topic('raw', { key: bytes(), value: bytes(), nullKey: true, nullValue: true })

export function batchOf(topic: string, codec: CodecName, records: readonly NotedRecord[]): StagedBatch {
  const writer = new BatchWriter()
  for (const { key, value, timestamp, headers = NO_HEADERS } of records) {
    writer.append(timestamp, key === null ? null : toByteString(key), value, headers)
  }
  const partition = records[0]?.partition ?? 0
  return { topic, partition, records: records.length, bytes: writer.finish(codec) }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
