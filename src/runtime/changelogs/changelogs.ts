import type { ChangelogStart, Checkpoint } from '../../core/checkpoint.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import { partitionsOf } from '../../core/offsets.ts'
import type { Log } from '../../ports/log.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { StoreTable } from '../../ports/store-table.ts'
import type { BatchStager } from '../batch-stager.ts'
import type { Session } from '../session.ts'
import type { Sinks } from '../sinks.ts'
import { storeIdentities } from '../stores/topology-stores.ts'
import { changelogKey } from './changelog-key.ts'
import { ChangelogTable } from './changelog-table.ts'
import { changelogsOf, ensureChangelogs, isWhole } from './changelog-topics.ts'

/** The changelogs of a job. */
export interface Changelogs {
  /** Topic by store. */
  readonly topics: ReadonlyMap<string, string>
  /** Partitions of each: one for every task. */
  readonly tasks: number
  /** Where each begins, by store; part of every checkpoint. */
  readonly starts: NonNullable<Checkpoint['changelogs']>
  /** Stores that have rows and no changelog which is whole: the next slice writes them all. */
  readonly unwritten: ReadonlySet<string>
}

/**
 * The changelogs that a run writes, made where they are missing; null where it writes none. Only the live generation does.
 * A changelog of a store that starts empty begins where it ends now, whatever an earlier store of that name has left there.
 */
export async function openChangelogs(
  log: Log,
  session: Session,
  tasks: number,
  runId: string,
): Promise<Changelogs | null> {
  const { loaded, generation, outside, checkpoint, file } = session
  if (outside === null || generation.role !== 'live') return null
  const topics = changelogsOf(log, loaded.job, generation.name)
  if (topics === null) return null
  const there = await ensureChangelogs(log, topics, tasks, {
    job: loaded.job.name,
    own: session.changelogIds,
    others: new Set(),
    beginsAnew: session.begunAnew && generation.lastToken !== null,
    isClaimed: () => session.isClaimed,
    claim: () => session.claim(runId),
    now: () => session.env.clock.now(),
  })
  const held = new Set(file.stores().map(({ name }) => name))
  const starts: Record<string, ChangelogStart> = {}
  const unwritten = new Set<string>()
  for (const { name, shape } of storeIdentities(loaded.job.topology)) {
    const topic = topics.get(name) ?? ''
    const topicId = there.get(topic)?.id ?? ''
    const before = checkpoint?.changelogs?.[name]
    if (before !== undefined && held.has(name) && isWhole(checkpoint, name, topicId)) {
      starts[name] = before
      continue
    }
    if (held.has(name)) unwritten.add(name)
    starts[name] = { topicId, shape, from: await endsOf(log, topic, tasks) }
  }
  return { topics, tasks, starts, unwritten }
}

/** The tables of a session's file, with every write going to the changelogs too. */
export function withChangelogs(
  { file, checkpoint }: Pick<Session, 'file' | 'checkpoint'>,
  { topics, tasks, starts, unwritten }: Changelogs,
  sinks: Sinks,
): Pick<StateFile, 'table' | 'begin'> {
  const written = checkpoint?.changelogs === starts
  return {
    begin: () => file.begin(),
    table: (identity) => {
      const topic = topics.get(identity.name)
      const table = file.table(identity)
      if (topic === undefined) return table
      const stager = sinks.stager(topic, tasks)
      if (!written && unwritten.has(identity.name)) writeWhole(table, stager)
      return new ChangelogTable(table, stager)
    },
  }
}

/** The ends of the partitions of a topic, whatever is open there. */
export async function endsOf(log: Log, topic: string, tasks: number): Promise<readonly number[]> {
  const partitions = partitionsOf(topic, tasks)
  return (await log.bounds(partitions, 'read_uncommitted')).map(({ highWatermark }) => highWatermark)
}

function writeWhole(table: StoreTable, stager: BatchStager): void {
  for (const row of table.scan({})) {
    stager.appendTo(row.task, changelogKey(table.shape, row), row.value, row.timestamp, NO_HEADERS)
  }
}
