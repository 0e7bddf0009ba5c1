import type { Log } from '../ports/log.ts'
import type { StateFile } from '../ports/state-file.ts'
import { ChangelogTable } from './changelog-table.ts'
import { changelogsOf, ensureChangelogs } from './changelog-topics.ts'
import type { Session } from './session.ts'
import type { Sinks } from './sinks.ts'

/** The changelogs of a job. */
export interface Changelogs {
  /** Topic by store. */
  readonly topics: ReadonlyMap<string, string>
  /** Partitions of each: one for every task. */
  readonly tasks: number
}

/** The changelogs that a run writes, made where they are missing; null where it writes none. Only the live generation does. */
export async function openChangelogs(log: Log, session: Session, tasks: number): Promise<Changelogs | null> {
  const { loaded, generation, outside } = session
  if (outside === null || generation.role !== 'live') return null
  const topics = changelogsOf(log, loaded.job, generation.name)
  if (topics === null) return null
  await ensureChangelogs(log, topics.values(), tasks)
  return { topics, tasks }
}

/** The tables of a file, with every write going to the changelogs too. */
export function withChangelogs(
  file: StateFile,
  { topics, tasks }: Changelogs,
  sinks: Sinks,
): Pick<StateFile, 'table' | 'begin'> {
  return {
    begin: () => file.begin(),
    table: (identity) => {
      const topic = topics.get(identity.name)
      const table = file.table(identity)
      return topic === undefined ? table : new ChangelogTable(table, sinks.stager(topic, tasks))
    },
  }
}
