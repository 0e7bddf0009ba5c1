import { join } from 'node:path'
import { json as jsonOf, string, topic } from 'tidemark'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { decodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { addCounts } from '../../../src/runtime/counts.ts'
import type { RunReport } from '../../../src/runtime/run-report.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { startIn } from '../helpers/tidemark.ts'
import type { CrashCopy } from './crash-log.ts'

const STREAMS = ['minutes', 'too-late', 'refused']
const TABLES = ['spent', 'towns']

/** Everything that a crash must not change. */
export interface Outcome {
  /** Rows of every store, as they lie in the file. */
  readonly stores: Readonly<Record<string, readonly unknown[]>>
  /** Records of stream sinks and dead letters, with partition, and with offset where a crash may not change it. */
  readonly streams: Readonly<Record<string, readonly unknown[]>>
  /** The last value of each key of table sinks. */
  readonly tables: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly checkpoint: unknown
  readonly history: readonly unknown[]
  readonly counts: Counts
}

/** Counters as `tidemark runs` shows them, over all runs. */
export interface Counts extends Pick<RunReport, Counter | 'steps'> {
  /** By `topic/partition`. */
  readonly partitions: Readonly<Record<string, number>>
  /** How the runs ended that committed something. */
  readonly committing: readonly string[]
}

type Counter = 'records' | 'slices' | 'outputs' | 'late' | 'droppedWindows' | 'skipped' | 'deadLettered'

/** What the runs of a copy came to; names are without its prefix. */
export async function outcome(copy: CrashCopy): Promise<Outcome> {
  const came = { ...stateOf(copy), ...(await outputOf(copy)), counts: await countsOf(copy) }
  return copy.prefix === '' ? came : withoutPrefix(came, copy.prefix)
}

/** Steps and dead letters name topics too. */
function withoutPrefix(came: Outcome, prefix: string): Outcome {
  const bare = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(prefix, '')
    if (ArrayBuffer.isView(value)) return Buffer.from(value as Uint8Array).toString('latin1').replaceAll(prefix, '')
    if (Array.isArray(value)) return value.map(bare)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.replaceAll(prefix, ''), bare(each)]))
  }
  return bare(came) as Outcome
}

function stateOf({ folder, prefix }: CrashCopy): Pick<Outcome, 'stores' | 'checkpoint' | 'history'> {
  const state = new SqliteStateDirectory(join(folder, '.tidemark'))
  const file = state.open(`${prefix}till`, 'g1', { create: false, readonly: true })
  const stored = file?.checkpoint()
  if (file === undefined || stored === undefined) throw new Error('nothing was committed')
  try {
    const stores = file.stores().map((identity) => [identity.name, [...file.table(identity).scan({})]])
    const { token, offsets, floors, partitionTimes, streamTimes, streamTimeBy, unfinished } = decodeCheckpoint(
      stored.bytes,
    )
    const history = file.events().map(({ kind, seq, detail }) => ({ kind, seq, detail }))
    return {
      stores: Object.fromEntries(stores),
      checkpoint: { seq: token.seq, offsets, floors, partitionTimes, streamTimes, streamTimeBy, unfinished },
      history,
    }
  } finally {
    file.close()
  }
}

async function outputOf(copy: CrashCopy): Promise<Pick<Outcome, 'streams' | 'tables'>> {
  const log = await copy.openLog()
  const records = (name: string) =>
    readTopic(log, topic(copy.prefix + name, { key: string(), value: jsonOf<unknown>() }), new Map())
  try {
    const streams: Record<string, readonly unknown[]> = {}
    for (const name of STREAMS) {
      const all = await records(name)
      streams[name] = copy.offsets ? all : all.map(({ offset: _, ...record }) => record)
    }
    const tables: Record<string, Record<string, unknown>> = {}
    for (const name of TABLES) {
      const last = (await records(name)).map(({ key, value, timestamp }) => [key, { value, timestamp }])
      tables[name] = Object.fromEntries(last)
    }
    return { streams, tables }
  } finally {
    await log.close()
  }
}

async function countsOf({ folder, env, prefix }: CrashCopy): Promise<Counts> {
  const args = ['runs', `${prefix}till`, '--limit', '10000', '--json']
  const { status, stdout, stderr } = await startIn(folder, args, env).ended
  if (status !== 0) throw new Error(stderr)
  const { runs } = JSON.parse(stdout) as { runs: readonly RunReport[] }
  const sum = (of: (run: RunReport) => number) => runs.reduce((total, run) => total + of(run), 0)
  const steps: Record<string, ReturnType<typeof addCounts>> = {}
  const partitions: Record<string, number> = {}
  for (const run of runs) {
    for (const [step, counts] of Object.entries(run.steps)) steps[step] = addCounts(steps[step] ?? {}, counts)
    for (const { topic, partition, records } of run.partitions) {
      partitions[`${topic}/${partition}`] = (partitions[`${topic}/${partition}`] ?? 0) + records
    }
  }
  return {
    records: sum((run) => run.records),
    slices: sum((run) => run.slices),
    outputs: sum((run) => run.outputs),
    late: sum((run) => run.late),
    droppedWindows: sum((run) => run.droppedWindows),
    skipped: sum((run) => run.skipped),
    deadLettered: sum((run) => run.deadLettered),
    steps,
    partitions,
    committing: runs.filter((run) => run.slices > 0).map(({ status }) => status),
  }
}
