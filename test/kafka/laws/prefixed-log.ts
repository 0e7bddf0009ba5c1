import { isTidemarkError } from '../../../src/core/errors.ts'
import type { PartitionRange, TopicPartition } from '../../../src/core/offsets.ts'
import type {
  Isolation,
  Log,
  LogAdmin,
  LogNeeds,
  LogReader,
  LogWatch,
  PartitionBounds,
  ReadOptions,
  StagedBatch,
  TimeQuery,
  TopicDescription,
} from '../../../src/ports/log.ts'
import type { Outside } from '../../../src/ports/outside.ts'

/** A part of a log: its topics, and its jobs, have a prefix in front of their names, so that many cases share a broker. */
export class PrefixedLog implements Log {
  readonly keepsChangelogs: boolean
  readonly #log: Log
  readonly #prefix: string
  readonly #made: Set<string>

  /** `made` collects the topics that are made here, by their names on the broker. */
  constructor(log: Log, prefix: string, made: Set<string>) {
    this.keepsChangelogs = log.keepsChangelogs
    this.#log = log
    this.#prefix = prefix
    this.#made = made
  }

  clusterId(): Promise<string> {
    return this.#log.clusterId()
  }

  async describe(names?: readonly string[]): Promise<readonly TopicDescription[]> {
    const found = await this.#log.describe(names?.map((name) => this.#prefix + name))
    return found
      .filter(({ name }) => name.startsWith(this.#prefix))
      .map(({ name, ...rest }) => ({ ...rest, name: name.slice(this.#prefix.length) }))
  }

  async bounds(partitions: readonly TopicPartition[], isolation: Isolation): Promise<readonly PartitionBounds[]> {
    const bounds = await this.#log.bounds(partitions.map(this.#there), isolation)
    return bounds.map(({ topic, ...rest }) => ({ ...rest, topic: topic.slice(this.#prefix.length) }))
  }

  offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]> {
    return this.#log.offsetsForTime(queries.map(this.#there))
  }

  reader(ranges: readonly PartitionRange[], options: ReadOptions): LogReader {
    return this.#log.reader(ranges.map(this.#there), options)
  }

  watch(isolation: Isolation): LogWatch {
    const watch = this.#log.watch(isolation)
    return {
      arrival: (positions, waitMs, signal) => watch.arrival(positions.map(this.#there), waitMs, signal),
      close: () => watch.close(),
    }
  }

  async outside(job: string, key: string): Promise<Outside> {
    this.#made.add(`tidemark.${this.#prefix}${job}.commits`)
    const outside = await this.#log.outside(this.#prefix + job, key)
    return new Proxy(outside, {
      get: (target, name) => {
        if (name === 'send') return (batches: readonly StagedBatch[]) => target.send(batches.map(this.#there))
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  admin(): LogAdmin {
    const admin = this.#log.admin()
    const there = (name: string) => this.#prefix + name
    return {
      create: async ({ name, ...rest }) => {
        this.#made.add(there(name))
        return { ...(await admin.create({ ...rest, name: there(name) })), name }
      },
      delete: (name) => admin.delete(there(name)),
      alter: (name, change) => admin.alter(there(name), change),
      append: (batches) => admin.append([...batches].map(this.#there)),
      trim: (partition, offset) => admin.trim(this.#there(partition), offset),
      expired: (topic, nowMs) => admin.expired(there(topic), nowMs),
      compact: (topic) => admin.compact(there(topic)),
    }
  }

  obstacles({ job, key, reads, writes }: LogNeeds): Promise<readonly string[]> {
    const there = (name: string) => this.#prefix + name
    const written = writes.map(({ name, ...rest }) => ({ ...rest, name: there(name) }))
    return this.#log.obstacles({ job: there(job), key, reads: reads.map(there), writes: written })
  }

  close(): Promise<void> {
    return this.#log.close()
  }

  readonly #there = <T extends { readonly topic: string }>(at: T): T => ({ ...at, topic: this.#prefix + at.topic })
}

/** Removes topics; those that are not there are none. */
export async function removeTopics(log: Log, names: Iterable<string>): Promise<void> {
  const admin = log.admin()
  const removed = [...names].map((name) =>
    admin.delete(name).catch((error: unknown) => {
      if (!isTidemarkError(error, 'INPUT_MISSING')) throw error
    }),
  )
  await Promise.all(removed)
}
