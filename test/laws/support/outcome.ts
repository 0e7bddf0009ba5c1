import type { Job } from 'tidemark'
import type { RunRow } from '../../../src/ports/history.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { jobInputs } from '../../../src/runtime/input/job-inputs.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import type { Node } from '../../../src/topology/nodes.ts'
import type { TopicSpec } from '../../../src/topology/topic-spec.ts'

/** All that a job has come to. */
export interface Outcome {
  /** Records of the topics that it writes, by partition and offset; of table sinks the last one of each key. */
  readonly outputs: Readonly<Record<string, readonly unknown[]>>
  /** Rows of every store. */
  readonly stores: Readonly<Record<string, readonly unknown[]>>
  /** Records, and what was counted by step, over all runs. Writes of table sinks fold, and are left out. */
  readonly counts: Readonly<Record<string, number>>
}

/** What a job has come to, and its runs, latest first. */
export async function outcomeOf(env: Environment, job: Job): Promise<{ outcome: Outcome; runs: readonly RunRow[] }> {
  const outputs = await outputsOf(env, job)
  const file = env.state.open(job.name, 'g1', { create: false, readonly: true })
  if (file === undefined) return { outcome: { outputs, stores: {}, counts: {} }, runs: [] }
  try {
    const rows = storeIdentities(job.topology).map(({ name }) => [
      name,
      [...new StoreReader(file, job, name).entries()],
    ])
    const runs = [...file.runs()]
    return { outcome: { outputs, stores: Object.fromEntries(rows), counts: countsOf(job, runs) }, runs }
  } finally {
    file.close()
  }
}

async function outputsOf(env: Environment, job: Job): Promise<Record<string, readonly unknown[]>> {
  const folded = new Set<string>()
  const outputs: Record<string, readonly unknown[]> = {}
  const inputs = new Set(jobInputs(job).map(({ topic }) => topic.name))
  for (const node of job.topology.nodes) {
    const topic = topicOf(node)
    if (topic === null || inputs.has(topic.name)) continue
    if (node.kind === 'table-sink') folded.add(topic.name)
    const records = await readTopic(env.log, topic, new Map())
    outputs[topic.name] = folded.has(topic.name)
      ? [
          ...new Map(records.map((record) => [JSON.stringify(record.key), { ...record, offset: null }])).entries(),
        ].sort()
      : records
  }
  for (const { name } of await env.log.describe()) {
    if (!inputs.has(name) && outputs[name] === undefined) throw new Error(`nobody compares what is in ${name}`)
  }
  return outputs
}

function topicOf(node: Node): TopicSpec | null {
  if (node.kind === 'stream-sink' || node.kind === 'table-sink') return node.topic
  return node.kind === 'exchange' ? node.published : null
}

function countsOf(job: Job, runs: readonly RunRow[]): Record<string, number> {
  const folding = new Set(job.topology.nodes.filter(({ kind }) => kind === 'table-sink').map(({ name }) => name))
  const counts: Record<string, number> = {}
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count
  }
  for (const { records, steps } of runs) {
    add('records', records)
    for (const [step, { outputs = 0, ...others }] of Object.entries(steps)) {
      if (!folding.has(step)) add(`${step} outputs`, outputs)
      for (const [name, count] of numbersOf(others)) add(`${step} ${name}`, count)
    }
  }
  return counts
}

function numbersOf(counts: object): readonly (readonly [name: string, count: number])[] {
  return Object.entries(counts).flatMap(([name, count]) =>
    typeof count === 'number' ? [[name, count] as const] : numbersOf(count),
  )
}
