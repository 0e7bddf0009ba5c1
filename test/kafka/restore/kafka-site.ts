import { type Job, type JobOptions, job, json, string, topic, tumbling } from 'tidemark'
import { type Checkpoint, decodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { isTidemarkError, type TidemarkError } from '../../../src/core/errors.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import type { CommitRecord } from '../../../src/ports/outside.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import type { RunRequest } from '../../../src/runtime/run-request.ts'
import { Runner } from '../../../src/runtime/runner.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { storeIdentities } from '../../../src/runtime/stores/topology-stores.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { type KafkaWorld, kafkaWorld } from '../laws/kafka-world.ts'

const CLICKS = topic('clicks', { key: string(), value: json<number>() })
const COUNTS = topic('counts-out', { key: string(), value: json<number>() })
const LATE = topic('late-out', { key: string(), value: json<number>() })
const PASSED = topic('passed-out', { key: string(), value: json<number>() })

/** Counts clicks, in all and in windows of ten with a grace of five. */
export function clicks(options: JobOptions = {}): Job {
  return job('clicks', options, ({ stream }) => {
    const byKey = stream(CLICKS).groupByKey()
    byKey.count('counts').to(COUNTS)
    byKey
      .windowedBy(tumbling(10, { grace: 5 }))
      .count('windows')
      .late()
      .to(LATE)
  })
}

/** A job without stores. */
export const passing = job('clicks', {}, ({ stream }) => {
  stream(CLICKS).to(PASSED)
})

/** What a process of a test changes of its environment. */
export type Change = (env: Environment) => Environment

/** A job on a broker, run by machines that lose their disks. A machine is a name; the usual one is `here`. */
export class KafkaSite {
  readonly world: KafkaWorld

  private constructor(world: KafkaWorld) {
    this.world = world
  }

  static async open(bootstrap: string, partitions = 1): Promise<KafkaSite> {
    const site = new KafkaSite(kafkaWorld(bootstrap))
    await site.env().log.admin().create({ name: CLICKS.name, partitions })
    return site
  }

  env(machine?: string): Environment {
    return this.world.process(machine)
  }

  /** Clicks as `a@12`: key and time, with `/1` in front for another partition than 0. */
  async click(...notes: readonly string[]): Promise<void> {
    for (const note of notes) {
      const [, partition = '0', key = '', time = '0'] = /^(?:\/(\d+))?(\w+)@(\d+)$/.exec(note) ?? []
      const at = { topic: CLICKS.name, partition: Number(partition) }
      await this.env()
        .log.admin()
        .append([batchOf(at, [record(key, '1', Number(time))])])
    }
  }

  async run(running: Job, request: Partial<RunRequest> = {}, machine?: string, change: Change = (env) => env) {
    const loaded = { job: running, path: 'clicks.ts', hash: 'hash' }
    const { runs } = await new Runner(change(this.env(machine))).run(loaded, { trigger: 'test', ...request })
    const last = runs.at(-1)
    if (last === undefined) throw new Error('a run has a row')
    return last
  }

  async fail(running: Job, request: Partial<RunRequest> = {}, machine?: string, change?: Change) {
    try {
      await this.run(running, request, machine, change)
    } catch (error) {
      if (isTidemarkError(error)) return error as TidemarkError
      throw error
    }
    throw new Error('the run should have failed')
  }

  /** Runs with an environment of which the process is gone afterwards, whatever came of it. */
  async crashing(running: Job, change: Change): Promise<unknown> {
    const error = await this.run(running, {}, undefined, change).catch((thrown: unknown) => thrown)
    this.world.crash()
    return error
  }

  /** Rows of all stores, `counts a=2`, as they lie in a machine's file. */
  stores(of: Job = clicks(), machine?: string): readonly string[] {
    return (
      this.#reading(machine, (file) =>
        storeIdentities(of.topology).flatMap(({ name }) =>
          [...new StoreReader(file, of, name).entries()].map(({ key, start, value }) => {
            return `${name} ${String(key)}${start === undefined ? '' : `[${start}`}=${JSON.stringify(value)}`
          }),
        ),
      ) ?? []
    )
  }

  checkpoint(machine?: string): Checkpoint | null {
    const stored = this.#reading(machine, (file) => file.checkpoint())
    return stored === undefined ? null : decodeCheckpoint(stored.bytes)
  }

  rows(machine?: string): readonly RunRow[] {
    return this.#reading(machine, (file) => file.runs()) ?? []
  }

  /** The record in the commit topic. */
  async committed(): Promise<CommitRecord | undefined> {
    const outside = await this.env().log.outside('clicks', 'live')
    try {
      return await outside.read()
    } finally {
      await outside.close()
    }
  }

  /** What readers of committed records see of the outputs: `counts-out a=1`. */
  async out(): Promise<readonly string[]> {
    const { log } = this.env()
    const lines: string[] = []
    for (const each of [COUNTS, LATE, PASSED]) {
      for (const { key, value } of await readTopic(log, each, new Map())) {
        lines.push(`${each.name} ${String(key)}=${JSON.stringify(value)}`)
      }
    }
    return lines
  }

  changelog(store: string): string {
    return `clicks-g1-${store}-changelog`
  }

  #reading<T>(machine: string | undefined, read: (file: StateFile) => T): T | undefined {
    const file = this.env(machine).state.open('clicks', 'g1', { create: false, readonly: true })
    if (file === undefined) return undefined
    try {
      return read(file)
    } finally {
      file.close()
    }
  }
}
