import { cogroups } from './cogroups.ts'
import { foreignKeyJoins } from './foreign-key-joins.ts'
import { joins } from './joins.ts'
import { processors } from './processors.ts'
import { regrouped } from './regrouped.ts'
import { routed } from './routed.ts'
import { sessionTopologies } from './sessions.ts'
import { slidingTopologies } from './sliding.ts'
import { stateless } from './stateless.ts'
import { streamJoins } from './stream-joins.ts'
import { suppressions } from './suppressions.ts'
import { tableJoins } from './table-joins.ts'
import { tables } from './tables.ts'
import { timestamps } from './timestamps.ts'
import type { TopologySet } from './topology-set.ts'
import { versionedTables } from './versioned.ts'
import { windows } from './windows.ts'

/** Every topology that this project knows, by the id of its vectors. */
export const TOPOLOGIES: TopologySet = {
  ...stateless,
  ...tables,
  ...regrouped,
  ...joins,
  ...tableJoins,
  ...foreignKeyJoins,
  ...streamJoins,
  ...versionedTables,
  ...windows,
  ...slidingTopologies,
  ...sessionTopologies,
  ...processors,
  ...routed,
  ...cogroups,
  ...suppressions,
  ...timestamps,
}
