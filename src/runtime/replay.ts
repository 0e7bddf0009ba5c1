import type { Checkpoint, RunDeeds } from '../core/checkpoint.ts'
import { TidemarkError } from '../core/errors.ts'
import { type PartitionRange, parsePartitionKey, partitionKey } from '../core/offsets.ts'
import { canonicalJson } from '../planner/canonical-json.ts'
import { comparePlaces } from '../planner/merge-order.ts'
import { hashPlan } from '../planner/plan-hash.ts'
import type { Plan, PlannedPartition } from '../planner/plan-types.ts'
import type { HistoryEvent } from '../ports/history.ts'
import { Attempt } from './attempt.ts'
import { commitSlice } from './commit.ts'
import { forgetTopics } from './forget-topics.ts'
import { givenUp } from './history/cut-event.ts'
import { MERGED_AFTER_MS } from './history/merged-cuts.ts'
import { recordedSkip } from './history/recorded-skip.ts'
import { jobInputs } from './input/job-inputs.ts'
import { sliceRecord } from './input/slice-record.ts'
import { runningRow } from './run-rows.ts'
import type { Session } from './session.ts'
import { NEVER_STOP } from './stop-signal.ts'
import { isKeptStore } from './switching/kept-store.ts'

/** A commit that the outside has, to which a state is brought up. */
export interface ReplayTarget {
  readonly checkpoint: Checkpoint
  /** The bytes it was decoded from. */
  readonly bytes: Uint8Array
}

/**
 * Brings a session that publishes nothing from its checkpoint to a later commit of the same job, in one transaction: the
 * input between them is read again, with the same recorded clock, and the commit's own checkpoint is taken over. Gives
 * the number of records. Throws STATE_INCOMPATIBLE where the replay comes to something else; then nothing has changed.
 */
export async function replayTo(session: Session, target: ReplayTarget, runId: string): Promise<number> {
  const { made } = target.checkpoint
  return made === null ? await adopt(session, target, runId) : await replay(session, target, made, runId)
}

async function replay(session: Session, target: ReplayTarget, made: RunDeeds, runId: string): Promise<number> {
  const { checkpoint } = target
  const { exchangePartitions } = checkpoint
  if (session.checkpoint !== null) {
    session.checkpoint = forgetTopics(session.checkpoint, madeAgain(session.checkpoint, checkpoint))
  }
  const plan = planTo(session, checkpoint, made)
  const skips = new Map(made.leftOut.map(recordedSkip))
  const sources = jobInputs(session.loaded.job)
  const base = { sources, partitionsOf: () => 1, exchangePartitions, stop: NEVER_STOP, poisoned: 0, changelogs: null }
  const attempt = new Attempt(session, { ...base, now: made.now, skips })
  try {
    await attempt.openPlan(plan, isGoneOnWith(session, made))
    await attempt.process(Number.MAX_SAFE_INTEGER)
    const { taken } = attempt
    await commitReplay(session, attempt, plan, target, runId)
    return taken
  } catch (error) {
    await attempt.giveUp()
    throw error
  } finally {
    await attempt.close()
  }
}

async function commitReplay(
  session: Session,
  attempt: Attempt,
  plan: Plan,
  { checkpoint, bytes }: ReplayTarget,
  runId: string,
): Promise<void> {
  const { env, file, loaded, generation } = session
  const now = checkpoint.made?.now ?? 0
  const startedAt = env.clock.now()
  const run = runningRow({ runId, loaded, generation: generation.name, trigger: 'restore', startedAt, plan })
  const write = () => {
    attempt.flush()
    const { checkpoint: came, slice } = sliceRecord(
      { session, attempt, plan, now, run, events: [], end: 'end', endless: false },
      checkpoint.token,
      [],
    )
    requireSame(came, checkpoint, partsToCompare(checkpoint, now, env.clock.now()))
    return { ...slice, checkpoint: { token: checkpoint.token, bytes } }
  }
  const delivery = session.delivery(runId, true, true)
  await commitSlice({ file, outside: null, steps: env.steps, batches: [], write, delivery })
  session.committed(checkpoint, delivery)
  attempt.committed()
}

/** A commit that no run made moved offsets, or emptied the stores: it is taken as it is. */
async function adopt(session: Session, { checkpoint, bytes }: ReplayTarget, runId: string): Promise<number> {
  const { env, file, loaded, generation } = session
  const { token } = checkpoint
  const now = env.clock.now()
  const row = runningRow({ runId, loaded, generation: generation.name, trigger: 'restore', startedAt: now, plan: null })
  const write = () => {
    if (Object.keys(checkpoint.stores).length === 0) {
      for (const store of file.stores()) if (!isKeptStore(store)) file.dropStore(store.name)
    }
    const run = { ...row, status: 'done', finishedAt: now, durationMs: 0 } as const
    const events = [...givenUp(session.checkpoint), changeEvent(session.checkpoint, checkpoint, row.runId, now)]
    return { checkpoint: { token, bytes }, outbox: { token, endsRun: true, batches: [] }, run, events }
  }
  const delivery = session.delivery(runId, true, true)
  await commitSlice({ file, outside: null, steps: env.steps, batches: [], write, delivery })
  session.committed(checkpoint, delivery)
  return 0
}

/** What a commit that no run made has changed, as the history tells it. */
function changeEvent(before: Checkpoint | null, made: Checkpoint, runId: string, at: number): HistoryEvent {
  const { offsets, stores, streamTimes, token } = made
  const event = { seq: token.seq, runId, at }
  const none = (entries: object) => Object.keys(entries).length === 0
  const state = none(stores)
  if (state || (none(streamTimes) && !none(before?.streamTimes ?? {}))) {
    const detail = { state, streamTime: !state, outputs: false, ...(state ? { offsets } : {}) }
    return { kind: 'reset', ...event, detail }
  }
  const moves = Object.entries(offsets).flatMap(([key, to]) => {
    const from = before?.offsets[key] ?? null
    return from === to ? [] : [{ ...parsePartitionKey(key), from, to }]
  })
  return { kind: 'checkpoint-set', ...event, detail: { moves } }
}

/** True where the session stands in the middle of that run's range. */
function isGoneOnWith({ checkpoint }: Session, { runId }: RunDeeds): boolean {
  return checkpoint?.unfinished?.runId === runId
}

/** The topics that the run of `later` accepted anew: it read them from their beginning. */
function madeAgain({ topicIds }: Checkpoint, later: Checkpoint): readonly string[] {
  return Object.keys(topicIds).filter((name) => later.topicIds[name] !== topicIds[name])
}

/** The ranges between where the session stands and the commit. */
function planTo(session: Session, target: Checkpoint, made: RunDeeds): Plan {
  const { job } = session.loaded
  const sources = jobInputs(job)
  // In the middle of the run, its offsets lie beyond them.
  const gaps = isGoneOnWith(session, made) ? [] : (made.gaps ?? [])
  const ranks = new Map(sources.map(({ topic }, rank) => [topic.name, rank]))
  const partitions = Object.entries(target.offsets).flatMap(([key, to]): PlannedPartition[] => {
    const { topic, partition } = parsePartitionKey(key)
    const rank = ranks.get(topic)
    if (rank === undefined) return []
    const wanted = session.checkpoint?.offsets[partitionKey(topic, partition)] ?? 0
    const gap = gaps.find((each) => each.topic === topic && each.partition === partition)
    const from = gap === undefined ? wanted : besideGap(wanted, gap)
    const role = sources[rank]?.role ?? 'stream'
    return [{ topic, partition, from: Math.min(from, to), to, role, rank, startedBy: 'checkpoint' }]
  })
  const ended = target.unfinished === null
  const plan = {
    version: 1,
    job: job.name,
    generation: session.generation.name,
    asked: { from: 'checkpoint', to: 'checkpoint' },
    times: { from: null, to: null },
    isolation: job.settings.isolation,
    partitions: partitions.sort(comparePlaces),
    advanceTo: ended ? made.advanceTo : null,
    closeWindows: ended && made.closeWindows,
    gaps,
    accepted: [],
    replays: {
      generation: session.generation.name,
      seq: target.token.seq,
      runId: made.runId,
      whole: ended,
      goesOn: isGoneOnWith(session, made),
      leftOut: made.leftOut,
    },
    topicIds: target.topicIds,
    clusterId: target.clusterId,
    heldBack: 0,
    notices: [],
  } as const
  return { ...plan, hash: hashPlan(plan) }
}

/** Where a run began that wanted to begin at one end of a gap: at the other. Input is lost before a log's start, or past its end. */
function besideGap(wanted: number, { from, to }: PartitionRange): number {
  if (wanted === from) return to
  return wanted === to ? from : wanted
}

type ComparedPart = 'offsets' | 'floors' | 'streamTimes'

/** Where a range may stand for several that were merged since, its floors are those of all; behind its end they say nothing. */
function partsToCompare({ unfinished }: Checkpoint, madeAt: number, nowMs: number): readonly ComparedPart[] {
  const mayBeMerged = unfinished === null && madeAt <= nowMs - MERGED_AFTER_MS
  return mayBeMerged ? ['offsets', 'streamTimes'] : ['offsets', 'floors', 'streamTimes']
}

function requireSame(came: Checkpoint, wanted: Checkpoint, parts: readonly ComparedPart[]): void {
  for (const part of parts) {
    if (canonicalJson(came[part]) === canonicalJson(wanted[part])) continue
    throw new TidemarkError('STATE_INCOMPATIBLE', `the replay came to other ${part} than commit ${wanted.token.seq}`, {
      hint: 'The job or its input has changed since. Restore a newer backup, or start over with --init.',
    })
  }
}
