import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { EXIT } from '../../../src/core/error-codes.ts'
import { expectVerified } from '../helpers/expect-verified.ts'
import { type Ended, type Started, startIn } from '../helpers/tidemark.ts'
import { expectedOf, type Rows } from './expected.ts'
import { type LifeTopics, lifeJob } from './life-job.ts'
import type { Move } from './moves.ts'
import type { Purchase } from './purchase.ts'

/** Somebody is at work, or a signal came: nothing is wrong. */
const PASSES: readonly (number | null)[] = [EXIT.ok, EXIT.tryAgain, EXIT.terminated, null]

/** There is no such generation, or the live one is in the middle of a run: said, and nothing is changed. */
const REFUSES: readonly (number | null)[] = [...PASSES, EXIT.usage, EXIT.badData]

/** A folder in which a job is run in every way that there is, and killed; and what its results have to be. */
export class Life {
  readonly #folder: string
  readonly #job: string
  readonly #topics: LifeTopics
  readonly #env: Readonly<Record<string, string>>
  readonly #sold: Purchase[] = []
  readonly #reprocessings: string[] = []
  readonly #told: string[] = []
  #deaths = 0

  constructor(folder: string, job: string, topics: LifeTopics, env: Readonly<Record<string, string>>) {
    this.#folder = folder
    this.#job = job
    this.#topics = topics
    this.#env = env
    mkdirSync(join(folder, 'jobs'), { recursive: true })
    this.#write(`jobs/${job}.ts`, lifeJob(job, topics, 1))
  }

  /** Commands that a signal ended. */
  get deaths(): number {
    return this.#deaths
  }

  /** What was done, and how each of it ended, a line each. */
  get told(): string {
    return this.#told.join('\n')
  }

  start(args: readonly string[]): Started {
    return startIn(this.#folder, args, this.#env)
  }

  /** The topic, a first run, and so a first generation. */
  async begin(purchases: readonly Purchase[]): Promise<void> {
    await this.#sell(purchases, '--partitions', '2')
    await this.#does(['run', this.#job])
  }

  async make(move: Move): Promise<void> {
    const job = this.#job
    switch (move.do) {
      case 'sell':
        return await this.#sell(move.purchases)
      case 'run':
        return await this.#does(['run', job, '--take-over'], move)
      case 'run-some':
        return await this.#does(['run', job, '--take-over', '--to', `+${move.offsets}`], move)
      case 'stream':
        return await this.#streams(move.forMs, move.signal)
      case 'verify':
        return await this.#does(['verify', job], move, REFUSES)
      case 'backfill': {
        const range = ['--from', String(move.from), '--every', `+${move.every}`, '--as', 'range', '--replace']
        return await this.#does(['backfill', job, ...range], move, REFUSES)
      }
      case 'reprocess':
        return await this.#reprocesses(move.killAfterMs)
      case 'switch':
        return await this.#switches(move)
      case 'rollback':
        return await this.#does(['rollback', job, '--take-over', this.#uncorrected], move, REFUSES)
      default:
        return this.#loses(move.do)
    }
  }

  /** Sells once more, runs to the end of the input, and compares all that there is with what has to be. */
  async end(purchases: readonly Purchase[]): Promise<void> {
    await this.#sell(purchases) // so that there is a run to verify, even where the history begins with a restore
    await this.#does(['run', this.#job, '--take-over'])
    await this.#does(['run', this.#job]) // what a run before had begun may have had an end of its own
    const { spent, hourly, visits } = expectedOf(this.#sold)
    expect(await this.#rows('spent', ({ key }) => key), this.told).toEqual(spent)
    expect(await this.#rows('hourly', ({ key, start }) => `${key}@${start}`), this.told).toEqual(hourly)
    expect(await this.#rows('visits', ({ key, start, end }) => `${key}@${start}-${end}`), this.told).toEqual(visits)
    expect(await this.#table(this.#topics.totals), this.told).toEqual(spent)
    await expectVerified(this, this.#job)
  }

  get #uncorrected(): string {
    return `--no-corrections=${this.#topics.even}`
  }

  async #sell(purchases: readonly Purchase[], ...options: readonly string[]): Promise<void> {
    this.#write('sold.jsonl', purchases.map((purchase) => `${JSON.stringify(purchase)}\n`).join(''))
    const columns = ['--key', 'shop', '--timestamp', 'at']
    await this.#does(['log', 'import', this.#topics.purchases, 'sold.jsonl', ...columns, ...options])
    this.#sold.push(...purchases)
  }

  async #reprocesses(killAfterMs: number | null): Promise<void> {
    const version = this.#reprocessings.length + 2
    const file = this.#write(`jobs/${this.#job}-${version}.ts`, lifeJob(this.#job, this.#topics, version))
    this.#reprocessings.push(`v${version}`)
    await this.#does(['reprocess', this.#job, '--as', `v${version}`, '--with', file], { killAfterMs }, REFUSES)
  }

  async #switches({ nth, killAfterMs }: Extract<Move, { do: 'switch' }>): Promise<void> {
    const to = this.#reprocessings.at(-1 - nth)
    if (to === undefined) return
    await this.#does(['switch', this.#job, to, '--take-over', this.#uncorrected], { killAfterMs }, REFUSES)
  }

  async #streams(forMs: number, signal: NodeJS.Signals): Promise<void> {
    const { child, ended } = this.start(['stream', this.#job, '--take-over'])
    setTimeout(() => child.kill(signal), forMs)
    this.#tell(['stream', signal, String(forMs)], await ended, PASSES)
  }

  #loses(what: 'lose' | 'keep' | 'put-back'): void {
    const state = join(this.#folder, '.tidemark', this.#job)
    const aside = join(this.#folder, 'aside')
    if (what !== 'lose' && !existsSync(what === 'keep' ? state : aside)) return
    this.#told.push(what)
    rmSync(what === 'keep' ? aside : state, { recursive: true, force: true })
    if (what === 'keep') cpSync(state, aside, { recursive: true })
    if (what === 'put-back') cpSync(aside, state, { recursive: true })
  }

  async #does(
    args: readonly string[],
    { killAfterMs = null }: { readonly killAfterMs?: number | null } = {},
    mayEndWith: readonly (number | null)[] = killAfterMs === null ? [EXIT.ok] : PASSES,
  ): Promise<void> {
    const { child, ended } = this.start(args)
    const timer = killAfterMs === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    const end = await ended
    clearTimeout(timer)
    this.#tell(killAfterMs === null ? args : [...args, `(killed after ${killAfterMs} ms)`], end, mayEndWith)
  }

  #tell(args: readonly string[], { status, stderr }: Ended, mayEndWith: readonly (number | null)[]): void {
    this.#told.push(`${args.join(' ')} -> ${status}`)
    if (status === null) this.#deaths++
    expect(mayEndWith, `${this.told}\n${stderr}`).toContain(status)
  }

  async #rows(store: string, name: (row: StoredRow) => string): Promise<Rows> {
    const read = await this.start(['state', this.#job, store, '--format', 'json', '--limit', '100000']).ended
    expect(read).toMatchObject({ status: 0 })
    return Object.fromEntries(linesOf<StoredRow>(read).map((row) => [name(row), row.value]))
  }

  /** What a reader of the topic has who has read everything. */
  async #table(topic: string): Promise<Rows> {
    const read = await this.start(['log', 'export', topic]).ended
    expect(read).toMatchObject({ status: 0 })
    return Object.fromEntries(linesOf<StoredRow>(read).map(({ key, value }) => [key, value]))
  }

  #write(name: string, text: string): string {
    writeFileSync(join(this.#folder, name), text)
    return name
  }
}

interface StoredRow {
  readonly key: string
  readonly value: number
  readonly start?: number
  readonly end?: number
}

function linesOf<T>({ stdout }: Ended): readonly T[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
