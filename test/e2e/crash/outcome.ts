import { join } from 'node:path'
import { json as jsonOf, string, topic } from 'tidemark'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { decodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { addCounts } from '../../../src/runtime/counts.ts'
import type { RunReport } from '../../../src/runtime/run-report.ts'
import type { ReadRecord } from '../../../src/testing/test-record.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import type { Chain } from './chain.ts'

/** The topics that the till writes: stream sinks and dead letters, then table sinks. */
export const OUTPUTS = ['minutes', 'too-late', 'refused', 'spent', 'towns'] as const

/** Everything that a crash must not change. */
export interface Outcome {
  /** Rows of every store, as they lie in the file. */
  readonly stores: Readonly<Record<string, readonly unknown[]>>
  /**
   * Every record of every output, with its partition, each partition's in order. A slice that is made again ends where it
   * ended before, so table sinks have the same updates too: one that is there twice shows.
   */
  readonly outputs: Readonly<Record<string, readonly OutputRecord[]>>
  readonly checkpoint: unknown
  readonly history: readonly unknown[]
  readonly counts: Counts
}

/** Without its offset: on Kafka what was rolled back, and each marker, has one too. */
type OutputRecord = Omit<ReadRecord<unknown, unknown>, 'offset'>

/** Counters as `tidemark runs` shows them, over all runs. */
export interface Counts extends Pick<RunReport, Counter | 'steps'> {
  /** By `topic/partition`. */
  readonly partitions: Readonly<Record<string, number>>
  /** How the runs ended that committed something. */
  readonly committing: readonly string[]
}

type Counter = 'records' | 'slices' | 'outputs' | 'late' | 'droppedWindows' | 'skipped' | 'deadLettered'

/** What the runs of a chain came to. */
export async function outcome(chain: Chain): Promise<Outcome> {
  return { ...stateOf(chain), ...(await outputOf(chain)), counts: await countsOf(chain) }
}

/** What the state holds. */
export function stateOf({ folder, job }: Chain): Pick<Outcome, 'stores' | 'checkpoint' | 'history'> {
  const state = new SqliteStateDirectory(join(folder, '.tidemark'))
  const file = state.open(job, 'g1', { create: false, readonly: true })
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

async function outputOf(chain: Chain): Promise<Pick<Outcome, 'outputs'>> {
  const log = chain.openLog()
  try {
    const outputs: Record<string, readonly OutputRecord[]> = {}
    for (const name of OUTPUTS) {
      const spec = topic(chain.output(name), { key: string(), value: jsonOf<unknown>() })
      outputs[name] = (await readTopic(log, spec, new Map())).map(({ offset: _, ...record }) => record)
    }
    return { outputs }
  } finally {
    await log.close()
  }
}

async function countsOf({ start, job }: Chain): Promise<Counts> {
  const { status, stdout, stderr } = await start(['runs', job, '--limit', '10000', '--json']).ended
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
