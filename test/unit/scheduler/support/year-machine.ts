import { type Job, json, string, topic } from 'tidemark'
import { decodeCheckpoint } from '../../../../src/core/checkpoint.ts'
import type { RunOrder } from '../../../../src/ports/run-launcher.ts'
import { runReport } from '../../../../src/runtime/run-report.ts'
import { Runner } from '../../../../src/runtime/runner.ts'
import { runScheduler } from '../../../../src/scheduler/run-scheduler.ts'
import { appendRecords } from '../../../../src/testing/append-records.ts'
import { TestMachine } from '../../../../src/testing/test-machine.ts'
import { readTopic } from '../../../../src/testing/topic-records.ts'
import { VirtualAlarms } from './virtual-alarms.ts'

export const events = topic('events', { key: string(), value: json<number>() })
export const copies = topic('copies', { key: string(), value: json<number>() })

/** How far a run came that nobody saw the end of. */
export type Fate = 'not begun' | 'half' | 'whole'

/** A machine in memory with a scheduler, the real runtime, and records that come in all the time. */
export class YearMachine {
  readonly machine: TestMachine
  readonly alarms: VirtualAlarms
  readonly launched: { readonly at: number; readonly until: number | null }[] = []
  /** Whether the nth run left an unfinished plan. */
  readonly unfinished: boolean[] = []
  /** The launch that a run was made in, by the run's id. */
  readonly launchOf = new Map<string, number>()
  readonly #job: Job
  readonly #takes: (run: number) => number
  readonly #records: readonly number[]
  #appended = 0
  /** When the machine goes down next, and what becomes of a run that is under way then. */
  #down = { at: 0, fate: 'whole' as Fate }

  /** `records`: when each comes in. */
  constructor(job: Job, now: number, takes: (run: number) => number, records: readonly number[]) {
    this.machine = new TestMachine(now)
    this.alarms = new VirtualAlarms(this.machine.clock)
    this.#job = job
    this.#takes = takes
    this.#records = records
  }

  async begin(): Promise<void> {
    await this.machine.env.log.admin().create({ name: events.name, partitions: 2, settings: {} })
  }

  /** A scheduler is there from now on, until the machine goes down. */
  async upUntil(at: number, fate: Fate): Promise<void> {
    this.#down = { at, fate }
    const { clock, state } = this.machine
    const { locks } = this.machine.env
    const { name, settings } = this.#job
    void runScheduler(
      {
        clock,
        state,
        locks,
        alarms: this.alarms,
        launcher: { launch: (order) => this.#launch(order) },
        hooks: { call: async () => undefined },
      },
      [{ name, command: name, settings }],
      { once: false, now: false, maxRuns: 1, stop: new AbortController().signal, tell: () => undefined },
    )
    await this.alarms.advanceTo(at - 1)
    this.alarms.clear()
    this.machine.crash()
    clock.set(at)
  }

  /** The values of what was written to the topic of results, sorted. */
  async results(): Promise<readonly number[]> {
    const records = await readTopic(this.machine.env.log, copies, new Map())
    return records.map(({ value }) => Number(value)).sort((left, right) => left - right)
  }

  #launch(order: RunOrder) {
    const now = this.machine.clock.now()
    const number = this.launched.push({ at: now, until: order.until }) - 1
    const ends = now + this.#takes(number)
    const seen = ends < this.#down.at
    const process = seen ? this.#run(order, number) : this.#die(order, number)
    this.alarms.busy.add(process)
    const ended = process.then(async (report) => {
      await new Promise<void>((resolve) => this.alarms.set(ends, resolve))
      return { status: 0, problem: null, report: { ...report } }
    })
    void process.finally(() => this.alarms.busy.delete(process))
    return { ended, stop: () => undefined, kill: () => undefined }
  }

  async #run({ trigger, until, advanceTime }: RunOrder, number: number) {
    await this.#append()
    const loaded = { job: this.#job, path: 'jobs/year.ts', hash: 'hash' }
    const to = until === null ? {} : { to: new Date(until).toISOString() }
    const { runs } = await new Runner(this.machine.env).run(loaded, { trigger, advanceTime, ...to })
    for (const { runId } of runs) this.launchOf.set(runId, number)
    const last = runs.at(-1)
    if (last === undefined) throw new Error('a run has a row')
    return runReport(last)
  }

  /** A run that is cut off by the end of the machine: it never tells of its end. */
  async #die(order: RunOrder, number: number): Promise<null> {
    const { fate } = this.#down
    let slices = 0
    this.machine.steps = {
      enter: (step) => {
        const at = fate === 'not begun' ? 'store-begin' : 'process'
        if (step === at && (fate === 'not begun' || ++slices > 1)) throw new Error('the power is gone')
      },
    }
    if (fate === 'whole') this.machine.steps = { enter: () => undefined }
    await this.#run(order, number).catch(() => undefined)
    this.machine.steps = { enter: () => undefined }
    const file = this.machine.state.open(this.#job.name, 'g1', { create: false, readonly: true })
    const stored = file?.checkpoint()
    file?.close()
    this.unfinished[number] = stored !== undefined && decodeCheckpoint(stored.bytes).unfinished !== null
    return null
  }

  /** What has come in since. */
  async #append(): Promise<void> {
    const now = this.machine.clock.now()
    const come: { key: string; value: number; timestamp: number }[] = []
    for (
      let time = this.#records[this.#appended];
      time !== undefined && time <= now;
      time = this.#records[this.#appended]
    ) {
      come.push({ key: `k${this.#appended % 7}`, value: this.#appended++, timestamp: time })
    }
    if (come.length > 0) await appendRecords(this.machine.env.log, events, come, now)
  }
}
