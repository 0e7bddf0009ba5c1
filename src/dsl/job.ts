import { freeze } from '../topology/freeze/freeze.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Job, JobOptions } from '../topology/job.ts'
import { checkedName } from '../topology/names.ts'
import type { Where } from '../topology/nodes.ts'
import type { Topology } from '../topology/topology.ts'
import { type JobBuilder, jobBuilder } from './job-builder.ts'
import { JobDraft } from './job-draft.ts'
import { jobSettings } from './job-settings.ts'
import { KGroupedTable } from './kgrouped-table.ts'
import { KStream } from './kstream.ts'
import { whereOfCall } from './where-of-call.ts'

/**
 * A job: its name, its schedule and policies, and its topology. `build` runs at once, reads nothing and starts nothing.
 * Throws JOB_INVALID, naming file and line, for what the types could not rule out.
 */
export function job(name: string, options: JobOptions, build: (builder: JobBuilder) => void): Job {
  const where = whereOfCall()
  const checked = checkedName(name, 'a job', where)
  const settings = Object.freeze(jobSettings(options, where))
  const draft = new JobDraft({
    stream: (step) => new KStream(step),
    groupedTable: (step) => new KGroupedTable(step),
  })
  const result: unknown = build(jobBuilder(draft))
  if (result instanceof Promise) {
    result.catch(() => undefined)
    throw invalidJob(where, `the build function of ${checked} is async`, 'Fetch what it needs before calling job().')
  }
  draft.close()
  const topology = freeze(draft.nodes)
  checkDeadLetterTopic(settings.deadLetterTopic, topology, where)
  return Object.freeze({ kind: 'tidemark-job', name: checked, settings, topology })
}

function checkDeadLetterTopic(name: string | null, { nodes }: Topology, where: Where | null): void {
  const used = name !== null && nodes.some((node) => 'topic' in node && node.topic.name === name)
  if (used)
    throw invalidJob(where, `the topic ${name} is used beside its dead letters`, 'Give them a topic of their own.')
}
