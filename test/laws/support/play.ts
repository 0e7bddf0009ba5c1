import { NO_HEADERS } from '../../../src/core/headers.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import { encodeKey } from '../../../src/serde/serde.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { jobOf, type RandomCase, type RandomRecord } from './random-case.ts'
import { INPUT, LATE_OUT, STREAM_OUT, TABLE, TABLE_OUT } from './topics.ts'

/** Everything that a law compares. */
export interface Result {
  /** Rows of every store. */
  readonly stores: Readonly<Record<string, readonly unknown[]>>
  /** Records of stream sinks, by topic and partition, in order. */
  readonly streams: Readonly<Record<string, readonly unknown[]>>
  /** The last value of each key of table sinks. */
  readonly tables: Readonly<Record<string, unknown>>
  /** Records, and what was counted by step, over all runs. Writes of table sinks fold, and are left out. */
  readonly counts: Readonly<Record<string, number>>
}

/** Creates the topics of a case and fills them, `batchRecords` to a batch. */
export async function fill(log: Log, { partitions, records }: RandomCase, batchRecords: number): Promise<void> {
  for (const { name } of [INPUT, TABLE]) await log.admin().create({ name, partitions })
  await append(log, records, batchRecords)
}

export async function append(log: Log, records: readonly RandomRecord[], batchRecords: number): Promise<void> {
  for (const topic of [INPUT, TABLE]) {
    for (let partition = 0; partition < 3; partition++) {
      const mine = records.filter((record) => record.topic === topic.name && record.partition === partition)
      for (let at = 0; at < mine.length; at += batchRecords) {
        const writer = new BatchWriter()
        for (const { key, value, timestamp } of mine.slice(at, at + batchRecords)) {
          const keyBytes = key === null ? null : encodeKey(topic.key, key)
          writer.append(timestamp, keyBytes, value === null ? null : topic.value.encode(value), NO_HEADERS)
        }
        const { records } = writer
        await log.admin().append([{ topic: topic.name, partition, records, bytes: writer.finish() }])
      }
    }
  }
}

/** Runs the job of a case once, as a process of its own. */
export async function run(
  env: Environment,
  { spec }: RandomCase,
  request: Partial<RunRequest> = {},
): Promise<readonly RunRow[]> {
  const outcome = await new Runner(env).run(
    { job: jobOf(spec), path: 'random.ts', hash: 'hash' },
    { trigger: 'test', ...request },
  )
  return outcome.runs
}

/** What a case has come to: its live generation, or another one. */
export async function resultOf(env: Environment, { spec }: RandomCase, generation = 'g1'): Promise<Result> {
  const job = jobOf(spec)
  const file = env.state.open(job.name, generation, { create: false, readonly: true })
  const stores: Record<string, unknown[]> = {}
  const counts: Record<string, number> = {}
  for (const { name } of storeIdentities(job.topology)) {
    stores[name] = file === undefined ? [] : [...new StoreReader(file, job, name).entries()]
  }
  for (const row of file?.runs() ?? []) addCounts(counts, row)
  for (const { name, entries } of file?.runs(1)[0]?.stores ?? []) {
    if (entries !== stores[name]?.length) throw new Error(`store ${name} is said to hold ${entries} rows`)
  }
  file?.close()
  const streams: Record<string, unknown[]> = {}
  for (const topic of [STREAM_OUT, LATE_OUT]) {
    for (const { partition, offset: _, ...record } of await readTopic(env.log, topic, new Map())) {
      const key = `${topic.name}/${partition}`
      streams[key] = [...(streams[key] ?? []), record]
    }
  }
  const tables: Record<string, unknown> = {}
  for (const { key, value, timestamp } of await readTopic(env.log, TABLE_OUT, new Map()))
    tables[String(key)] = { value, timestamp }
  return { stores, streams, tables, counts }
}

function addCounts(counts: Record<string, number>, row: RunRow): void {
  const add = (name: string, count: number | undefined) => {
    if (count !== undefined && count > 0) counts[name] = (counts[name] ?? 0) + count
  }
  add('records', row.records)
  for (const [step, { late, droppedWindows, skipped }] of Object.entries(row.steps)) {
    add(`${step} late`, late)
    add(`${step} droppedWindows`, droppedWindows)
    for (const [reason, count] of Object.entries(skipped ?? {})) add(`${step} ${reason}`, count)
  }
}
