import type { Checkpoint } from '../core/checkpoint.ts'
import { partitionKey } from '../core/offsets.ts'
import type { Topic } from '../dsl/topic.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { RunRow } from '../ports/history.ts'
import { Attempt } from '../runtime/attempt.ts'
import { commitAttempt } from '../runtime/commit-attempt.ts'
import { liveGeneration } from '../runtime/generations.ts'
import type { RecordSkip } from '../runtime/input/input-source.ts'
import { jobInputs } from '../runtime/input/job-inputs.ts'
import { userErrorSkip } from '../runtime/input/user-error-skip.ts'
import { planJob } from '../runtime/job-plan.ts'
import { openSession } from '../runtime/open-session.ts'
import { ensureOutputTopics } from '../runtime/output-topics.ts'
import { type RunReport, runReport } from '../runtime/run-report.ts'
import { runningRow } from '../runtime/run-rows.ts'
import type { Session } from '../runtime/session.ts'
import { NEVER_STOP } from '../runtime/stop-signal.ts'
import { type StoreEntry, type StoreQuery, StoreReader } from '../runtime/stores/store-reader.ts'
import type { Job } from '../topology/job.ts'
import { appendRecords } from './append-records.ts'
import type { ManualClock } from './manual-clock.ts'
import { TestMachine } from './test-machine.ts'
import type { PipedRecord, ReadRecord } from './test-record.ts'
import { readTopic } from './topic-records.ts'

export interface TestDriverOptions {
  /** The clock's time at the start, epoch ms. Default 0. */
  readonly now?: number
  /** Partitions of the topics that the job reads. Default 1. */
  readonly partitions?: number
}

/**
 * Runs a job in memory, through the very runtime that runs it for good: `pipe` records, `endRange` to commit, `read` what
 * came out, look into a `store`, or `crash` and go on from the last commit. Needs no test framework.
 */
export class TestDriver {
  readonly #job: Job
  readonly #machine: TestMachine
  readonly #partitions: number
  readonly #positions = new Map<string, Map<number, number>>()
  #open: Opened | null = null

  private constructor(job: Job, machine: TestMachine, partitions: number) {
    this.#job = job
    this.#machine = machine
    this.#partitions = partitions
  }

  static async create(job: Job, options: TestDriverOptions = {}): Promise<TestDriver> {
    const driver = new TestDriver(job, new TestMachine(options.now), options.partitions ?? 1)
    const admin = driver.#machine.env.log.admin()
    for (const { topic } of jobInputs(job)) await admin.create({ name: topic.name, partitions: driver.#partitions })
    return driver
  }

  /** The lines that the job has printed. */
  get printed(): readonly string[] {
    return this.#machine.printed
  }

  /** The clock that the job sees; it moves only by hand. */
  get clock(): ManualClock {
    return this.#machine.clock
  }

  /**
   * Appends and processes. One record is a plan of its own: records that are piped one by one are processed in that
   * order, whatever their times. An array is one plan: its partitions and topics are merged by event time.
   */
  async pipe<K, V>(topic: Topic<K, V>, records: PipedRecord<K, V> | readonly PipedRecord<K, V>[]): Promise<void> {
    const list = Array.isArray(records) ? records : [records as PipedRecord<K, V>]
    await this.append(topic, list)
    await this.process()
  }

  /** Appends without processing: for a plan over several topics, which `process` or `endRange` then reads. */
  async append<K, V>(topic: Topic<K, V>, records: readonly PipedRecord<K, V>[]): Promise<void> {
    await appendRecords(this.#machine.env.log, topic, records, this.clock.now())
  }

  /** Processes all that was appended, as one plan, and does not commit. */
  async process(): Promise<void> {
    const opened = await this.#opened()
    const plan = await this.#plan(opened, {})
    opened.plan = plan
    opened.run ??= this.#newRun(opened.session, plan)
    opened.range.push(plan)
    await this.#carryOut(opened, [plan])
  }

  /** Ends the range: processes what is left and commits. A timestamp to advance stream time to, or windows to close. */
  async endRange(end: { readonly advanceTo?: number; readonly closeWindows?: boolean } = {}): Promise<RunReport> {
    await this.process()
    const opened = await this.#opened()
    const { session, attempt, plan, run } = opened
    if (plan === null || run === null) throw new Error('a range that ends was processed')
    try {
      attempt.processor.punctuate()
      if (end.advanceTo !== undefined) attempt.advanceTime(end.advanceTo)
      if (end.closeWindows === true) attempt.processor.closeWindows()
      await session.claim(run.runId)
      const facts = { session, attempt, plan, now: run.startedAt, run, events: [], end: 'end', endless: false } as const
      const committed = await commitAttempt(facts)
      opened.run = null
      opened.range = []
      opened.skips.clear()
      return runReport(committed)
    } catch (error) {
      this.crash()
      throw error
    }
  }

  /** Loses everything that is not committed, as a crash does. The next call starts the job again. */
  crash(): void {
    this.#open = null
    this.#machine.crash()
  }

  /** The committed records of a topic that were not read before, by partition and offset. */
  async read<K, V>(topic: Topic<K, V>): Promise<ReadRecord<K, V>[]> {
    const positions = this.#positions.get(topic.name) ?? new Map<number, number>()
    this.#positions.set(topic.name, positions)
    // The topic's own serdes made these values: they are what its type says.
    return (await readTopic(this.#machine.env.log, topic, positions)) as ReadRecord<K, V>[]
  }

  /** The rows of a store, with what is not yet committed. */
  async store(name: string, query: StoreQuery = {}): Promise<StoreEntry[]> {
    const { session, attempt } = await this.#opened()
    session.file.begin()
    attempt.flush()
    return [...new StoreReader(session.file, this.#job, name).entries(query)]
  }

  /**
   * As a run does: where user code fails on a record that the job leaves out, the range so far is done again without it; any
   * other failure leaves nothing of what is not committed.
   */
  async #carryOut(opened: Opened, plans: readonly Plan[]): Promise<void> {
    const { session, now, range, skips } = opened
    try {
      for (const plan of plans) {
        await opened.attempt.openPlan(plan, false)
        await opened.attempt.process(Number.MAX_SAFE_INTEGER, false)
      }
    } catch (error) {
      const leftOut = userErrorSkip(opened.attempt, error, this.#job.settings.onUserError)
      if (leftOut === undefined || skips.has(leftOut[0])) {
        this.crash()
        throw error
      }
      await opened.attempt.giveUp()
      skips.set(...leftOut)
      opened.attempt = await this.#newAttempt(session, now, skips)
      await this.#carryOut(opened, range)
    }
  }

  async #opened(): Promise<Opened> {
    const now = this.clock.now()
    if (this.#open !== null && (this.#open.run !== null || this.#open.now === now)) return this.#open
    if (this.#open !== null) {
      const { session } = this.#open
      this.#open = await this.#fresh(session, now)
      return this.#open
    }
    const { env } = this.#machine
    const loaded = { job: this.#job, path: this.#job.name, hash: '' }
    const jobFile = env.state.jobFile(this.#job.name)
    const session = await openSession(env, loaded, jobFile, {
      generation: liveGeneration(jobFile, loaded, this.clock.now()),
      outsideKey: 'live',
      runId: env.ids.uuid(),
    })
    this.#open = await this.#fresh(session, now)
    return this.#open
  }

  async #fresh(session: Session, now: number): Promise<Opened> {
    const skips = new Map<string, RecordSkip>()
    return {
      session,
      attempt: await this.#newAttempt(session, now, skips),
      now,
      plan: null,
      run: null,
      range: [],
      skips,
    }
  }

  /** Operators that go on from the last commit, with the clock's time as that of the run. */
  async #newAttempt(session: Session, now: number, skips: Opened['skips']): Promise<Attempt> {
    const { env } = this.#machine
    return new Attempt(session, {
      now,
      skips,
      sources: jobInputs(this.#job),
      partitionsOf: await ensureOutputTopics(env.log, this.#job, this.#partitions),
      exchangePartitions: session.checkpoint?.exchangePartitions ?? this.#partitions,
      stop: NEVER_STOP,
      poisoned: 0,
      changelogs: null,
    })
  }

  async #plan({ session, attempt, plan }: Opened, request: object): Promise<Plan> {
    const loaded = { job: this.#job, path: this.#job.name, hash: '' }
    const facts = {
      generation: session.generation.name,
      kind: 'live',
      checkpoint: plan === null ? session.checkpoint : reached(session.checkpoint, attempt, plan),
      liveCheckpoint: null,
      now: this.clock.now(),
    } as const
    return (await planJob(this.#machine.env, loaded, { trigger: 'test', ...request }, facts)).plan
  }

  #newRun(session: Session, plan: Plan): RunRow {
    const { ids } = this.#machine.env
    const startedAt = this.clock.now()
    const { loaded, generation } = session
    return runningRow({ runId: ids.uuid(), loaded, generation: generation.name, trigger: 'test', startedAt, plan })
  }
}

interface Opened {
  readonly session: Session
  attempt: Attempt
  /** The recorded clock of the range under way. */
  readonly now: number
  /** The plan processed last. */
  plan: Plan | null
  /** The row of the range under way. */
  run: RunRow | null
  /** The plans of the range under way, in the order in which they were processed. */
  range: Plan[]
  /** Records of it that are left out because user code failed on them. */
  readonly skips: Map<string, RecordSkip>
}

/** The checkpoint that a commit would make now, as far as a plan looks at it. */
function reached(committed: Checkpoint | null, attempt: Attempt, plan: Plan): Checkpoint {
  const offsets: Record<string, number> = { ...committed?.offsets }
  for (const { topic, partition, position } of attempt.tallies()) offsets[partitionKey(topic, partition)] = position
  return {
    version: 1,
    token: { seq: 0, id: '', parent: null },
    floors: {},
    partitionTimes: {},
    streamTimes: {},
    streamTimeBy: null,
    stores: {},
    storeSizes: {},
    exchangePartitions: attempt.exchangePartitions,
    punctuations: {},
    unfinished: null,
    made: null,
    ...committed,
    clusterId: plan.clusterId,
    topicIds: plan.topicIds,
    offsets,
  }
}
