import { TidemarkError } from '../core/errors.ts'
import type { Log } from '../ports/log.ts'
import type { Job } from '../topology/job.ts'
import { sinkTopic } from './sinks.ts'

/** A table sink's topic keeps the last value of each key; a stream sink's keeps everything: event times may be old. */
const SETTINGS = {
  table: { 'cleanup.policy': 'compact' },
  stream: { 'cleanup.policy': 'delete', 'retention.ms': '-1' },
} as const

/** Topics that a job writes, with the settings that they get when they are missing. */
export function outputTopics(job: Job): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const topics = new Map<string, Readonly<Record<string, string>>>()
  for (const node of job.topology.nodes) {
    const topic = sinkTopic(node)
    if (topic !== null) topics.set(topic, node.kind === 'table-sink' ? SETTINGS.table : SETTINGS.stream)
  }
  const { deadLetterTopic } = job.settings
  if (deadLetterTopic !== null) topics.set(deadLetterTopic, SETTINGS.stream)
  return topics
}

/** Creates the output topics that are missing, with `partitions` partitions, and gives the partitions of each. */
export async function ensureOutputTopics(log: Log, job: Job, partitions: number): Promise<(topic: string) => number> {
  const wanted = outputTopics(job)
  const counts = new Map<string, number>()
  for (const { name, partitions: count } of await log.describe([...wanted.keys()])) counts.set(name, count)
  for (const [name, settings] of wanted) {
    if (counts.has(name)) continue
    await log.admin().create({ name, partitions, settings })
    counts.set(name, partitions)
  }
  return (topic) => {
    const count = counts.get(topic)
    if (count !== undefined) return count
    throw new TidemarkError('OUTPUT_REFUSED', `topic ${topic} does not exist`, { at: { job: job.name, topic } })
  }
}
