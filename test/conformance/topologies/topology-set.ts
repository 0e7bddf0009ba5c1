import type { JobBuilder } from 'tidemark'

/** Topologies by the id of their vectors. */
export type TopologySet = Readonly<Record<string, (builder: JobBuilder) => void>>
