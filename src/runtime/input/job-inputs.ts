import type { PlanSource } from '../../planner/plan-request.ts'
import type { Job } from '../../topology/job.ts'
import type { InputSource } from './input-source.ts'
import { needsOf } from './needs.ts'

/** The topics that a job reads from the log, in the order of the topology. */
export function jobInputs(job: Job): readonly InputSource[] {
  const needs = needsOf(job.topology)
  const sources: InputSource[] = []
  for (const node of job.topology.nodes) {
    if (node.kind !== 'stream-source' && node.kind !== 'table-source') continue
    sources.push({
      nodeId: node.id,
      step: node.name,
      role: node.kind === 'table-source' ? 'table' : 'stream',
      topic: node.topic,
      needsKey: needs.key[node.id] ?? true,
      needsValue: needs.value[node.id] ?? true,
    })
  }
  return sources
}

/** The same topics as the planner wants to know them. */
export function planSources(sources: readonly InputSource[]): readonly PlanSource[] {
  return sources.map(({ topic, role }, rank) => ({
    topic: topic.name,
    role,
    rank,
    recordTime: topic.timestamp.from === 'record',
  }))
}

/** Topics that the job both writes and reads: passed on inside, never read from the log. */
export function publishedExchanges(job: Job): readonly string[] {
  const names = job.topology.nodes.flatMap((node) =>
    node.kind === 'exchange' && node.published !== null ? [node.published.name] : [],
  )
  return [...new Set(names)]
}
