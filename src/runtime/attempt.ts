import type { LeftOutRecord } from '../core/checkpoint.ts'
import { counted } from '../core/counted.ts'
import { TidemarkError } from '../core/errors.ts'
import { partitionKey } from '../core/offsets.ts'
import type { Plan } from '../planner/plan-types.ts'
import type { RunDigests } from '../ports/history.ts'
import type { LogReader, StagedBatch } from '../ports/log.ts'
import { type Changelogs, withChangelogs } from './changelogs/changelogs.ts'
import { SliceCounts } from './counts.ts'
import { writeDeadLetter } from './dead-letter.ts'
import { RunDigester } from './digest/run-digester.ts'
import type { InputPolicies, InputSource, RecordSkip } from './input/input-source.ts'
import { PartitionInput } from './input/partition-input.ts'
import { type SliceEnd, SliceFeed } from './input/slice-feed.ts'
import { Processor } from './processor.ts'
import type { Session } from './session.ts'
import { Sinks } from './sinks.ts'
import { SliceOutput } from './slice-output.ts'
import type { StopSignal } from './stop-signal.ts'
import { StoreViews } from './stores/store-views.ts'
import { keepsOutputs } from './switching/keeps-outputs.ts'
import { KeptOutputs } from './switching/kept-outputs.ts'
import { Tallies } from './tallies.ts'

/** Full batches that take less wait for more. */
const SENT_TOGETHER_BYTES = 1024 * 1024

export interface AttemptRequest {
  /** The recorded clock of the first plan, epoch ms. */
  readonly now: number
  readonly skips: ReadonlyMap<string, RecordSkip>
  readonly sources: readonly InputSource[]
  readonly partitionsOf: (topic: string) => number
  readonly exchangePartitions: number
  readonly stop: StopSignal
  /** Records that were skipped or dead-lettered in committed slices because something was wrong with them. */
  readonly poisoned: number
  /** What these are counted over: a stream's are those of an hour. Default `run`. */
  readonly countedOver?: 'run' | 'hour'
  /** What the run has come to in committed slices. */
  readonly digests?: RunDigests
  /** Where stores are kept outside too; null where they are not. */
  readonly changelogs: Changelogs | null
}

/** Everything that lives from one checkpoint on: operators, the write-behind, the sinks, and the readers of a plan. */
export class Attempt {
  readonly processor: Processor
  readonly stores: StoreViews
  readonly sinks: Sinks
  readonly digests: RunDigester
  readonly counts = new SliceCounts()
  readonly exchangePartitions: number
  /** Records skipped or dead-lettered by policy, as far as they count. */
  poisoned: number
  /** Records taken in the slice under way. */
  taken = 0
  /** Their bytes as they lie in batches. */
  takenBytes = 0
  /** The partition whose head is being processed. */
  underWay: PartitionInput | null = null
  /** Records of the slice under way that were left out by request, or because user code failed on them. */
  leftOut: LeftOutRecord[] = []

  readonly #session: Session
  readonly #request: AttemptRequest
  readonly #tallies: Tallies
  /** What is published; null where nothing is. */
  readonly #output: SliceOutput | null
  /** What is not published, and may be later. */
  readonly #kept: KeptOutputs | null
  #plan: Plan | null = null
  #reader: LogReader | null = null
  #feed: SliceFeed | null = null
  /** The recorded clock of the plan that is open, epoch ms. */
  #now: number

  constructor(session: Session, request: AttemptRequest) {
    this.#session = session
    this.#request = request
    this.poisoned = request.poisoned
    this.#now = request.now
    this.#tallies = new Tallies(session.checkpoint)
    this.exchangePartitions = request.exchangePartitions
    const { job } = session.loaded
    const published = session.outside !== null
    this.sinks = new Sinks(published ? job.topology.nodes : [], request.partitionsOf, this.counts.of)
    const { changelogs } = request
    const file = changelogs === null ? session.file : withChangelogs(session, changelogs, this.sinks)
    this.#output = session.outside === null ? null : new SliceOutput(session.outside)
    this.#kept = keepsOutputs(session) ? new KeptOutputs(session.file, job.topology) : null
    const kept = this.#kept
    const unpublished = kept === null ? () => {} : kept.emit.bind(kept)
    this.digests = new RunDigester(job.topology.nodes, request.digests)
    this.stores = new StoreViews(file, job.topology, job.settings.cacheEntries)
    const watched = session.watch?.stores(this.stores, () => this.underWay) ?? this.stores
    this.processor = new Processor({
      topology: job.topology,
      stores: this.digests.stores(watched),
      exchangePartitions: request.exchangePartitions,
      now: request.now,
      streamTimes: session.checkpoint?.streamTimes ?? {},
      punctuations: session.checkpoint?.punctuations ?? {},
      counts: this.counts.of,
      emit: this.digests.emit(published ? this.sinks.emit.bind(this.sinks) : unpublished),
      ...(session.env.print === undefined ? {} : { print: session.env.print }),
    })
  }

  /**
   * Opens a plan's ranges; `resumed` where an earlier attempt began it: then floors go on. `now`, where it is another plan
   * than before, is its recorded clock; `reader`, one that reads its ranges from their beginnings already.
   */
  async openPlan(plan: Plan, resumed: boolean, now = this.#now, reader: LogReader | null = null): Promise<void> {
    await this.close()
    const { job } = this.#session.loaded
    this.#now = now
    this.processor.setNow(now)
    const inputs = this.#inputs(plan, resumed)
    const ranges = inputs.map(({ topic, partition, position, to }) => ({ topic, partition, from: position, to }))
    this.#plan = plan
    this.#reader = reader ?? this.#session.env.log.reader(ranges, { isolation: job.settings.isolation })
    this.#feed = new SliceFeed(inputs, this.#reader, this.#session.env.clock)
    this.#tallies.open(inputs)
  }

  /**
   * Processes one slice of at most `records` records, and of about `withinMs`; at the end of the plan, its end too, unless
   * the range goes on.
   */
  async process(records: number, endsRange = true, withinMs = Number.POSITIVE_INFINITY): Promise<SliceEnd> {
    if (this.#feed === null || this.#plan === null) throw new Error('no plan is open')
    this.#session.env.steps.enter('process')
    const { sliceBytes } = this.#session.loaded.job.settings
    const full = () => {
      this.#sendFull()
      return this.sinks.pendingBytes + (this.#output?.bytes ?? 0) >= sliceBytes
    }
    const end = await this.#feed.slice({ records, withinMs, full, stop: this.#request.stop }, this.#take)
    this.underWay = null
    if (end === 'end' && endsRange) this.#endOfPlan(this.#plan)
    return end
  }

  /** Moves stream time to at least `timestamp` in the tasks of all planned partitions, idle ones too. */
  advanceTime(timestamp: number): void {
    for (const { source, partition } of this.#feed?.inputs ?? []) this.processor.meet(source.nodeId, partition)
    this.processor.advanceTime(timestamp)
  }

  readonly flush = (): void => {
    this.stores.flush()
    this.#kept?.flush()
  }

  /**
   * What the slice sends, which is on its way then. Changelogs are made as stores are written: those go into the open
   * transaction first, and what is full already goes out meanwhile.
   */
  async drain(): Promise<readonly StagedBatch[]> {
    this.sinks.settle()
    if (this.#request.changelogs !== null) {
      if (this.#sendFull()) await this.#session.env.clock.yield()
      this.stores.flush()
    }
    if (this.#output === null) return []
    this.#output.add(this.sinks.drain())
    return this.#output.batches
  }

  /** Resolves when all is sent, in a transaction that is begun. */
  async sent(): Promise<void> {
    await this.#output?.sent()
  }

  /** Sends the batches that are full, where there are enough of them and the session may commit. True where it does. */
  #sendFull(): boolean {
    if (this.#output === null || this.sinks.fullBytes < SENT_TOGETHER_BYTES || !this.#session.isClaimed) return false
    this.#output.add(this.sinks.takeFull())
    return true
  }

  /** Where the changelogs of the stores begin; null where there are none. */
  get changelogs(): Changelogs['starts'] | null {
    return this.#request.changelogs?.starts ?? null
  }

  /** Where every partition stands that was read since this attempt began, with the records of the slice under way. */
  tallies(): ReturnType<Tallies['settled']> {
    return this.#tallies.settled()
  }

  /** The slice is committed: the next one starts. */
  committed(): void {
    this.#session.watch?.committed()
    this.stores.committed()
    this.#tallies.committed()
    this.#output?.committed()
    this.counts.reset()
    this.taken = 0
    this.takenBytes = 0
    this.leftOut = []
  }

  /** Leaves no trace of the slice under way. The attempt is not to be used again. */
  async giveUp(): Promise<void> {
    this.#session.watch?.discarded()
    this.#session.file.rollback()
    this.stores.discard()
    await this.#output?.drop()
  }

  async close(): Promise<void> {
    await this.#reader?.close()
  }

  readonly #take = (input: PartitionInput): void => {
    this.underWay = input
    if (input.rejection === null) {
      this.processor.feed(input.source.nodeId, input.partition, input, input.key, input.value, input.timestamp)
    } else {
      this.#reject(input)
    }
    this.takenBytes += input.recordBytes
    this.taken++
  }

  #reject(input: PartitionInput): void {
    const { rejection, source } = input
    if (rejection === null) return
    const { reason, action, error } = rejection
    if (action === 'fail') throw error ?? new Error(`a record that fails by ${reason} has an error`)
    if (action === 'dead-letter') this.#deadLetter(input)
    else this.counts.skipped(source.step, reason)
    if (reason === 'asked' || reason === 'user-error') {
      const { topic, partition, offset } = input
      this.leftOut.push({ topic, partition, offset, reason, action })
    }
    if (error !== null) this.#poison(error)
  }

  #deadLetter(input: PartitionInput): void {
    const { job } = this.#session.loaded
    this.counts.deadLettered(input.source.step)
    const topic = job.settings.deadLetterTopic
    if (this.#session.outside === null || topic === null) return
    writeDeadLetter(this.sinks.stager(topic, this.#request.partitionsOf(topic)), job.name, input)
  }

  #poison(error: TidemarkError): void {
    this.poisoned++
    const { maxSkipped } = this.#session.loaded.job.settings
    if (this.poisoned <= maxSkipped) return
    throw new TidemarkError(
      'SKIP_LIMIT_EXCEEDED',
      `more than ${counted(maxSkipped, 'record')} would be skipped in this ${this.#request.countedOver ?? 'run'}`,
      {
        hint: `Look at what is wrong (${error.message}); then mend the input or raise maxSkipped.`,
        ...(error.at === undefined ? {} : { at: error.at }),
        cause: error,
      },
    )
  }

  #endOfPlan(plan: Plan): void {
    if (plan.replays?.whole === false) return
    this.processor.punctuate()
    if (plan.advanceTo !== null) this.advanceTime(plan.advanceTo)
    if (plan.closeWindows) this.processor.closeWindows()
  }

  #inputs(plan: Plan, resumed: boolean): PartitionInput[] {
    const { settings, name } = this.#session.loaded.job
    const policies: InputPolicies = {
      job: name,
      onBadData: settings.onBadData,
      maxFutureSkew: settings.maxFutureSkew,
      skips: this.#request.skips,
      now: this.#now,
    }
    const sources = new Map(this.#request.sources.map((source) => [source.topic.name, source]))
    return plan.partitions.map((planned, order) => {
      const source = sources.get(planned.topic)
      if (source === undefined) throw unknownTopic(planned.topic)
      const stands = this.#tallies.stands(partitionKey(planned.topic, planned.partition))
      const from = resumed ? (stands.position ?? planned.from) : planned.from
      const floor = resumed ? stands.floor : -1
      return new PartitionInput(
        source,
        { ...planned, from, floor, partitionTime: stands.partitionTime },
        order,
        policies,
        this.digests.input(partitionKey(planned.topic, planned.partition)),
      )
    })
  }
}

function unknownTopic(topic: string): TidemarkError {
  return new TidemarkError('JOB_INVALID', `the plan reads topic ${topic}, which the job does not read`, {
    hint: "An unfinished plan belongs to another version of the job; drop it with 'tidemark checkpoint set'.",
  })
}
