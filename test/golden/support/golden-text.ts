import { createHash } from 'node:crypto'
import type { RunRow } from '../../../src/ports/history.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import type { ReadRecord } from '../../../src/testing/test-record.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import type { Job } from '../../../src/topology/job.ts'
import type { TopicSpec } from '../../../src/topology/topic-spec.ts'

/** Records at the end of each partition of a stream that are shown in full: its digest stands for all of them. */
const SHOWN = 3

/**
 * All that a job has come to: what was counted, every row of its stores, the last value of each key of its table sinks,
 * and the records of its stream sinks in their order. Table sinks fold, so how often they wrote is left out.
 */
export async function goldenText(env: Environment, job: Job): Promise<string> {
  const file = env.state.open(job.name, 'g1', { create: false, readonly: true })
  if (file === undefined) throw new Error(`${job.name} has no state`)
  try {
    const parts = [countedText(job, file.runs()), ...storeTexts(job, file)]
    for (const node of job.topology.nodes) {
      if (node.kind === 'stream-sink') parts.push(await streamText(env, node.topic))
      if (node.kind === 'table-sink') parts.push(await tableText(env, node.topic))
    }
    return `${parts.join('\n\n')}\n`
  } finally {
    file.close()
  }
}

function countedText(job: Job, runs: readonly RunRow[]): string {
  const counts = new Map<string, number>()
  const add = (name: string, count: number | undefined) => counts.set(name, (counts.get(name) ?? 0) + (count ?? 0))
  const folds = new Set(job.topology.nodes.filter(({ kind }) => kind === 'table-sink').map(({ name }) => name))
  for (const { records, steps } of runs) {
    add('records read', records)
    for (const [step, { late, droppedWindows, outputs, deadLettered, skipped }] of Object.entries(steps)) {
      add(`${step}: late`, late)
      add(`${step}: windows missed`, droppedWindows)
      add(`${step}: dead letters`, deadLettered)
      if (!folds.has(step)) add(`${step}: outputs`, outputs)
      for (const [reason, count] of Object.entries(skipped ?? {})) add(`${step}: ${reason}`, count)
    }
  }
  const lines = [...counts].filter(([, count]) => count > 0).map(([name, count]) => `  ${name} ${count}`)
  return [`job ${job.name}`, ...lines.sort()].join('\n')
}

function storeTexts(job: Job, file: StateFile): readonly string[] {
  return storeIdentities(job.topology).map(({ name }) => {
    const rows = [...new StoreReader(file, job, name).entries()].map(({ key, start, value, timestamp }) => {
      const window = start === undefined ? '' : ` ${time(start)}`
      return `  ${String(key)}${window} ${JSON.stringify(value)} at ${time(timestamp)}`
    })
    return [`store ${name}: ${rows.length} rows`, ...rows].join('\n')
  })
}

async function streamText(env: Environment, topic: TopicSpec): Promise<string> {
  const partitions = new Map<number, ReadRecord<unknown, unknown>[]>()
  for (const record of await readTopic(env.log, topic, new Map())) {
    const mine = partitions.get(record.partition) ?? []
    partitions.set(record.partition, mine)
    mine.push(record)
  }
  const texts = [...partitions].map(([partition, records]) => {
    const lines = records.map(recordText)
    const digest = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
    return [
      `  [${partition}]: ${lines.length} records, ${digest}`,
      ...lines.slice(-SHOWN).map((line) => `    ${line}`),
    ].join('\n')
  })
  return [`stream ${topic.name}`, ...texts].join('\n')
}

async function tableText(env: Environment, topic: TopicSpec): Promise<string> {
  const last = new Map<string, string>()
  for (const record of await readTopic(env.log, topic, new Map())) {
    last.set(`${record.partition} ${String(record.key)}`, `  [${record.partition}] ${recordText(record)}`)
  }
  return [`table ${topic.name}`, ...[...last.keys()].sort().map((key) => last.get(key))].join('\n')
}

function recordText({ key, value, timestamp, headers }: ReadRecord<unknown, unknown>): string {
  const shown = headers.length === 0 ? '' : ` ${JSON.stringify(headers)}`
  return `${String(key)} ${JSON.stringify(value)} at ${time(timestamp)}${shown}`
}

function time(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(/(:00)?\.000Z$/, 'Z')
}
