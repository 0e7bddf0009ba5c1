import { type Job, job, json, string, type Topic, topic } from 'tidemark'
import { expect } from 'vitest'
import { MemoryStateDirectory } from '../../../../src/adapters/memory/state-directory.ts'
import { MemoryLocks } from '../../../../src/adapters/memory/state-locks.ts'
import { type Checkpoint, decodeCheckpoint } from '../../../../src/core/checkpoint.ts'
import { isTidemarkError, type TidemarkError } from '../../../../src/core/errors.ts'
import type { HistoryEvent, RunRow } from '../../../../src/ports/history.ts'
import type { CommitRecord } from '../../../../src/ports/outside.ts'
import type { StateFile } from '../../../../src/ports/state-file.ts'
import type { Environment } from '../../../../src/runtime/environment.ts'
import type { RunRequest } from '../../../../src/runtime/run-request.ts'
import { Runner, type RunOutcome } from '../../../../src/runtime/runner.ts'
import { appendRecords } from '../../../../src/testing/append-records.ts'
import { TestMachine } from '../../../../src/testing/test-machine.ts'
import { readTopic } from '../../../../src/testing/topic-records.ts'
import { type Death, mortal } from '../../../laws/support/mortal.ts'

export const NOW = 1_000_000_000

export const IN: Topic<string, number> = topic('in', { key: string(), value: json<number>() })
export const OUT: Topic<string, number> = topic('out', { key: string(), value: json<number>() })

/** Counts by key, in slices of two records, and says each count. */
export const counting: Job = job('j', { sliceRecords: 2 }, ({ stream }) => {
  stream(IN).groupByKey().count('counts').toStream().to(OUT)
})

/** Keeps no state. */
export const passing: Job = job('j', { sliceRecords: 2 }, ({ stream }) => {
  stream(IN).to(OUT)
})

/** One state directory, on a machine of its own. */
export interface Machine {
  readonly state: MemoryStateDirectory
  readonly locks: MemoryLocks
}

/** How a run is made, where it is not the plain one. */
export interface Circumstances {
  /** The machine; by default the first one. */
  readonly on?: Machine
  /** Where the process dies. */
  readonly dies?: Death
  readonly change?: (env: Environment) => Environment
}

/** A log in memory, and machines that run jobs on it: all of it as it would be with processes, and in one. */
export class Site {
  readonly #shared = new TestMachine(NOW)
  readonly first: Machine = newMachine('first')

  /** A site whose topic `in` has these values, a key for each: 'a', 'b', 'a', ... at times 0, 1, 2, ... */
  static async with(keys: string, partitions = 1): Promise<Site> {
    const site = new Site()
    await site.log.admin().create({ name: IN.name, partitions })
    await site.write(keys)
    return site
  }

  get log(): Environment['log'] {
    return this.#shared.env.log
  }

  get clock(): TestMachine['clock'] {
    return this.#shared.clock
  }

  get cluster(): TestMachine['cluster'] {
    return this.#shared.cluster
  }

  /** Appends a record for each letter; the letter is its key, and its partition where there are more. */
  async write(keys: string, partition = 0): Promise<void> {
    const records = [...keys].map((key, time) => ({ key, value: time, timestamp: time, partition }))
    await appendRecords(this.log, IN, records, NOW)
  }

  env({ state, locks }: Machine = this.first): Environment {
    return { ...this.#shared.env, state, locks }
  }

  /** Runs the job as a process of its own. Gives undefined where it died as told; it has to. */
  async outcome(
    what: Job,
    request: Partial<RunRequest> = {},
    { on = this.first, dies, change = (env) => env }: Circumstances = {},
  ): Promise<RunOutcome | undefined> {
    const process = mortal(change(this.env(on)), dies ?? null)
    const loaded = { job: what, path: 'jobs/j.ts', hash: 'hash' }
    try {
      const outcome = await new Runner(process.env).run(loaded, { trigger: 'test', ...request })
      expect(dies).toBeUndefined()
      return outcome
    } catch (error) {
      if (!process.died()) throw error
      on.state.crash()
      on.locks.crash()
      return undefined
    }
  }

  /** The runs that came of a request. */
  async run(what: Job, request?: Partial<RunRequest>, circumstances?: Circumstances): Promise<readonly RunRow[]> {
    return (await this.outcome(what, request, circumstances))?.runs ?? []
  }

  /** Runs the job until it dies at a step. */
  async die(what: Job, step: Death['step'], nth: number, on?: Machine): Promise<void> {
    const died = await this.outcome(what, {}, { ...(on === undefined ? {} : { on }), dies: { step, nth } })
    expect(died).toBeUndefined()
  }

  /** The error of a run that has to fail. */
  async fail(what: Job, request?: Partial<RunRequest>, circumstances?: Circumstances): Promise<TidemarkError> {
    try {
      await this.outcome(what, request, circumstances)
    } catch (error) {
      if (isTidemarkError(error)) return error
      throw error
    }
    throw new Error('the run should have failed')
  }

  /** The outputs so far, as `key=value`. */
  async out(): Promise<readonly string[]> {
    return (await readTopic(this.log, OUT, new Map())).map(({ key, value }) => `${key}=${value}`)
  }

  checkpoint(generation = 'g1', on: Machine = this.first): Checkpoint | null {
    const stored = this.reading((file) => file.checkpoint(), generation, on)
    return stored === undefined ? null : decodeCheckpoint(stored.bytes)
  }

  /** Newest first. */
  rows(generation = 'g1', on: Machine = this.first): readonly RunRow[] {
    return this.reading((file) => file.runs(), generation, on) ?? []
  }

  events(generation = 'g1', on: Machine = this.first): readonly HistoryEvent[] {
    return this.reading((file) => file.events(), generation, on) ?? []
  }

  async record(key = 'live'): Promise<CommitRecord | undefined> {
    return await (await this.log.outside('j', key)).read()
  }

  /** All that a machine and the log keep of the job: equal before and after what changes nothing. */
  async everything(on: Machine = this.first): Promise<unknown> {
    const generations = on.state.generations('j').map((generation) => this.reading(contents, generation, on))
    return {
      generations,
      list: on.state.jobFile('j').generations(),
      record: await this.record(),
      out: await this.out(),
    }
  }

  reading<T>(look: (file: StateFile) => T, generation = 'g1', on: Machine = this.first): T | undefined {
    const file = on.state.open('j', generation, { create: false, readonly: true })
    try {
      return file === undefined ? undefined : look(file)
    } finally {
      file?.close()
    }
  }
}

export function newMachine(name: string): Machine {
  return { state: new MemoryStateDirectory(name), locks: new MemoryLocks() }
}

function contents(file: StateFile): unknown {
  const stores = file.stores().map((identity) => ({ ...identity, rows: [...file.table(identity).scan({})] }))
  return { checkpoint: file.checkpoint(), outbox: file.outbox(), stores, runs: file.runs(), events: file.events() }
}
