import { type Job, job } from 'tidemark'
import { utf8ByteString } from '../../../src/core/bytes.ts'
import type { Header } from '../../../src/core/headers.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { jobInputs } from '../../../src/runtime/job-inputs.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { StoreReader } from '../../../src/runtime/store-reader.ts'
import { storeIdentities } from '../../../src/runtime/topology-stores.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { partitionOf } from '../../../src/wire/murmur2.ts'
import { TOPOLOGIES } from '../../conformance/topologies/all.ts'
import { anyTopic } from '../../conformance/topologies/topics.ts'
import type { VectorRecord } from '../../conformance/vectors.ts'

/** A topology of the vectors as a job, with the settings that must not make a difference. */
export interface TopologyJob {
  readonly id: string
  readonly sliceRecords: number
  readonly cacheEntries: number
}

export function topologyJob({ id, sliceRecords, cacheEntries }: TopologyJob): Job {
  const build = TOPOLOGIES[id]
  if (build === undefined) throw new Error(`there is no topology ${id}`)
  return job('vectors', { sliceRecords, cacheEntries }, build)
}

/** Creates the topics of a job and fills them, each record where its key belongs, `batchRecords` to a batch. */
export async function fillTopics(
  log: Log,
  job: Job,
  partitions: number,
  input: readonly VectorRecord[],
  batchRecords: number,
): Promise<void> {
  for (const { topic } of jobInputs(job)) {
    await log.admin().create({ name: topic.name, partitions })
    for (let partition = 0; partition < partitions; partition++) {
      const mine = input.filter((record) => record.topic === topic.name && placeOf(record, partitions) === partition)
      for (let at = 0; at < mine.length; at += batchRecords) {
        const writer = new BatchWriter()
        for (const record of mine.slice(at, at + batchRecords)) append(writer, record)
        const { records } = writer
        await log.admin().append([{ topic: topic.name, partition, records, bytes: writer.finish() }])
      }
    }
  }
}

/** Runs a job once, as a process of its own. */
export async function runJob(env: Environment, job: Job, request: Partial<RunRequest> = {}): Promise<void> {
  await new Runner(env).run({ job, path: 'vectors.ts', hash: 'hash' }, { trigger: 'test', ...request })
}

/** What a job has come to: all that it has written to any topic, all that it keeps, and what it has counted. */
export async function stateOf(env: Environment, job: Job): Promise<unknown> {
  const inputs = jobInputs(job).map(({ topic }) => topic.name)
  const outputs: Record<string, unknown> = {}
  for (const { name } of await env.log.describe()) {
    if (!inputs.includes(name)) outputs[name] = await readTopic(env.log, anyTopic(name), new Map())
  }
  const file = env.state.open(job.name, 'g1', { create: false, readonly: true })
  if (file === undefined) return { outputs, stores: {}, counts: {} }
  const stores = storeIdentities(job.topology).map(({ name }) => [
    name,
    [...new StoreReader(file, job, name).entries()],
  ])
  const counts: Record<string, number> = {}
  for (const { records, steps } of file.runs()) {
    counts['records'] = (counts['records'] ?? 0) + records
    for (const [name, count] of Object.entries(steps).flatMap(numbersOf)) counts[name] = (counts[name] ?? 0) + count
  }
  file.close()
  return { outputs, stores, counts }
}

function numbersOf([step, counts]: [step: string, counts: object]): [name: string, count: number][] {
  return Object.entries(counts).flatMap(([name, count]): [string, number][] =>
    typeof count === 'number' ? [[`${step} ${name}`, count]] : numbersOf([`${step} ${name}`, count]),
  )
}

function placeOf({ key }: VectorRecord, partitions: number): number {
  return key === null ? 0 : partitionOf(utf8ByteString(JSON.stringify(key)), partitions)
}

function append(writer: BatchWriter, { key, value, timestamp, headers = [] }: VectorRecord): void {
  const keyBytes = key === null ? null : utf8ByteString(JSON.stringify(key))
  const bytes = value === null ? null : Buffer.from(JSON.stringify(value), 'utf8')
  const headerBytes = headers.map(([name, text]): Header => [name, Buffer.from(text, 'utf8')])
  writer.append(timestamp, keyBytes, bytes, headerBytes)
}
