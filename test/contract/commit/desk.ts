import { json, string, type Topic, topic } from 'tidemark'
import { onTestFinished } from 'vitest'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import type { Token } from '../../../src/core/token.ts'
import type { StagedBatch } from '../../../src/ports/log.ts'
import type { CommitRecord, Outside } from '../../../src/ports/outside.ts'
import type { SliceCommit, StateFile } from '../../../src/ports/state-file.ts'
import type { CommitStep } from '../../../src/ports/steps.ts'
import type { CommitParts } from '../../../src/runtime/commit.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { decideStart } from '../../../src/runtime/start-decision.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { WORLDS, type World } from '../../laws/support/worlds.ts'
import { COUNTS, row, shown, slice } from '../state-file/samples.ts'

const OUT: Topic<string, number> = topic('out', { key: string(), value: json<number>() })

/** One state file, and the way out of its job: what a commit has to bring from one state into the next, together. */
export class Desk {
  readonly #world: World
  readonly env: Environment
  readonly file: StateFile
  readonly outside: Outside

  private constructor(world: World, env: Environment, outside: Outside) {
    this.#world = world
    this.env = env
    this.file = env.state.open('j', 'g1', { create: true })
    this.outside = outside
  }

  static async in(name: string): Promise<Desk> {
    const make = WORLDS[name]
    if (make === undefined) throw new Error(`there is no world ${name}`)
    const world = make()
    onTestFinished(() => world.end())
    const env = world.process()
    await env.log.admin().create({ name: OUT.name, partitions: 1 })
    return await Desk.#open(world, env)
  }

  static async #open(world: World, env: Environment): Promise<Desk> {
    const desk = new Desk(world, env, await env.log.outside('j', 'live'))
    await desk.outside.claim(delivery('here'), 0, true)
    return desk
  }

  /** The same desk in a process that dies at a step. */
  async dying(step: CommitStep): Promise<Desk> {
    return await Desk.#open(this.#world, mortal(this.#world.process(), { step, nth: 1 }).env)
  }

  /** The desk as the next process finds it when all others are gone. */
  async next(): Promise<Desk> {
    this.#world.crash()
    return await Desk.#open(this.#world, this.#world.process())
  }

  /** The commit number `seq`: puts the row `k` to `seq`, and sends one record. */
  commit(seq: number, parts: Partial<CommitParts> = {}): CommitParts {
    const batches = [batch(seq)]
    const { file, outside } = this
    const write = (): SliceCommit => {
      file.table(COUNTS).put(row('k', String(seq)))
      const { outbox, ...committed } = slice(seq)
      return { ...committed, outbox: { ...outbox, batches } }
    }
    return { file, outside, steps: this.env.steps, batches, write, delivery: delivery('here'), ...parts }
  }

  /** The commit record of the commit number `seq`. */
  record(seq: number): CommitRecord {
    const { token, bytes } = slice(seq).checkpoint
    return { token, checkpoint: bytes, delivery: delivery('here') }
  }

  /** What there is: by the tokens' numbers here (L) and outside (O), the row here, the values outside. */
  async shows(): Promise<{ L: number; O: number; row: readonly string[]; out: readonly unknown[]; start: string }> {
    const local: Token | null = this.file.checkpoint()?.token ?? null
    const outside: Token | null = (await this.outside.read())?.token ?? null
    const facts = { remembered: false, hasStores: true, changelogsReach: false, init: false, hasOutside: true }
    return {
      L: local?.seq ?? 0,
      O: outside?.seq ?? 0,
      row: shown(this.file.table(COUNTS).scan({})),
      out: (await readTopic(this.env.log, OUT, new Map())).map(({ value }) => value),
      start: decideStart({ ...facts, local, outside }).do,
    }
  }
}

export function delivery(instance: string): CommitParts['delivery'] {
  return { instance, runId: 'run-1', leaseUntil: 0, endsRun: false }
}

export function batch(value: number, over: Partial<StagedBatch> = {}): StagedBatch {
  const writer = new BatchWriter()
  writer.append(value, 'k', Buffer.from(String(value)), NO_HEADERS)
  return { topic: OUT.name, partition: 0, records: 1, bytes: writer.finish(), ...over }
}
