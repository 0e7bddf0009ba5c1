import { type Checkpoint, encodeCheckpoint, type RunDeeds } from '../../core/checkpoint.ts'
import { partitionKey } from '../../core/offsets.ts'
import type { Token } from '../../core/token.ts'
import { canonicalJson } from '../../planner/canonical-json.ts'
import type { Plan } from '../../planner/plan-types.ts'
import type { HistoryEvent, RunRow } from '../../ports/history.ts'
import type { StagedBatch } from '../../ports/log.ts'
import type { SliceCommit } from '../../ports/state-file.ts'
import type { Attempt } from '../attempt.ts'
import { formerChangelogs } from '../changelogs/changelog-ids.ts'
import { cutEvent } from '../history/cut-event.ts'
import type { Session } from '../session.ts'
import { NEWEST_WINDOW } from '../task.ts'
import type { SliceEnd } from './slice-feed.ts'

/** The slice under way, and what it belongs to. */
export interface SliceFacts {
  readonly session: Session
  readonly plan: Plan
  readonly now: number
  readonly attempt: Attempt
  /** The run as the slice before left it. */
  readonly run: RunRow
  /** Events to commit beside those of the slice itself. */
  readonly events: readonly HistoryEvent[]
  readonly end: SliceEnd
  /** The run goes on when the plan is done. */
  readonly endless: boolean
}

/** What the slice under way commits. */
export interface SliceRecord {
  readonly checkpoint: Checkpoint
  readonly slice: SliceCommit
}

/** The next checkpoint, the outbox, the run's row and the history, once the stores are written. */
export function sliceRecord(facts: SliceFacts, token: Token, batches: readonly StagedBatch[]): SliceRecord {
  const { session, attempt, end } = facts
  const sizes = attempt.stores.sizes(session.checkpoint?.storeSizes ?? {})
  const run = nextRow(facts, sizes, batches)
  const checkpoint = nextCheckpoint(facts, token, sizes)
  const { offsets } = checkpoint
  const cutFacts = { now: facts.now, offsets, jobHash: session.loaded.hash, endless: facts.endless }
  const cut = end === 'end' ? [cutEvent(facts.plan, cutFacts)] : []
  const skips = attempt.leftOut.map((detail) => skipEvent(facts, { ...detail }))
  const events = [...facts.events, ...skips, ...cut].map((event) => ({
    ...event,
    seq: event.seq === 0 ? token.seq : event.seq,
    runId: event.runId ?? run.runId,
  }))
  const bytes = encodeCheckpoint(checkpoint)
  const outbox = { token, endsRun: end === 'end', batches: session.outside === null ? [] : batches }
  return { checkpoint, slice: { checkpoint: { token, bytes }, outbox, run, events } }
}

export function nextToken(parent: Token | null, id: string): Token {
  return { seq: (parent?.seq ?? 0) + 1, id, parent: parent?.id ?? null }
}

function nextCheckpoint(facts: SliceFacts, token: Token, sizes: Checkpoint['storeSizes']): Checkpoint {
  const { session, attempt, plan, run, now, end } = facts
  const before = session.checkpoint
  const offsets: Record<string, number> = { ...before?.offsets }
  const floors: Record<string, number> = { ...before?.floors }
  const partitionTimes: Record<string, number> = { ...before?.partitionTimes }
  for (const { topic, partition, position, floor, partitionTime } of attempt.tallies()) {
    const key = partitionKey(topic, partition)
    offsets[key] = position
    if (floor >= 0) floors[key] = floor
    else delete floors[key]
    if (partitionTime >= 0) partitionTimes[key] = partitionTime
  }
  const { runId, attempt: number } = run
  const endless = facts.endless ? ({ endless: true } as const) : {}
  const unfinished = { runId, attempt: number, plan: canonicalJson(plan), now, ...endless }
  return {
    version: 1,
    token,
    clusterId: plan.clusterId,
    offsets,
    floors,
    partitionTimes,
    streamTimes: attempt.processor.streamTimes(),
    streamTimeBy: streamTimeBy(facts),
    topicIds: { ...before?.topicIds, ...plan.topicIds },
    stores: attempt.stores.formats(),
    storeSizes: sizes,
    ...(attempt.changelogs === null ? {} : { changelogs: attempt.changelogs }),
    ...formerChangelogs(session.changelogIds, attempt.changelogs),
    exchangePartitions: before?.exchangePartitions ?? attempt.exchangePartitions,
    punctuations: attempt.processor.punctuations(),
    unfinished: end === 'end' ? null : unfinished,
    made: deeds(facts),
    generation: session.generation.name,
    ...replayed(facts),
  }
}

/** A step of another generation's history counts as replayed once it is done whole. */
function replayed({ session, plan, end }: SliceFacts): Pick<Checkpoint, 'replayed'> {
  const { replays } = plan
  if (replays === undefined || end !== 'end') {
    const before = session.checkpoint?.replayed
    return before === undefined ? {} : { replayed: before }
  }
  const { generation, seq, runId, whole } = replays
  return { replayed: { generation, seq, runUnderWay: whole ? null : runId } }
}

/** Records that are left out add up over the slices of a plan. */
function deeds({ session, attempt, plan, run, now, end }: SliceFacts): RunDeeds {
  const before = session.checkpoint?.made ?? null
  const goesOn = before !== null && session.checkpoint?.unfinished?.runId === run.runId
  const leftOut = goesOn ? before.leftOut : []
  const ended = end === 'end'
  return {
    runId: run.runId,
    now,
    advanceTo: ended ? plan.advanceTo : null,
    closeWindows: ended && plan.closeWindows,
    leftOut: [...leftOut, ...attempt.leftOut],
    ...(plan.gaps.length === 0 ? {} : { gaps: plan.gaps }),
  }
}

/** The record that moved stream time last, in whichever run that was. */
function streamTimeBy({ session, attempt }: SliceFacts): string | null {
  return attempt.processor.streamTimeMovedBy() ?? session.checkpoint?.streamTimeBy ?? null
}

function nextRow(facts: SliceFacts, sizes: Checkpoint['storeSizes'], batches: readonly StagedBatch[]): RunRow {
  const { run, attempt, end, session, endless } = facts
  const finishedAt = session.env.clock.now()
  const streamTime = greatestStreamTime(attempt.processor.streamTimes())
  const known = new Map(run.partitions.map((part) => [partitionKey(part.topic, part.partition), part]))
  const partitions = attempt.tallies().map(({ topic, partition, from, position, records }) => {
    const before = known.get(partitionKey(topic, partition))
    return {
      topic,
      partition,
      from: before?.from ?? from,
      to: position,
      records: (before?.records ?? 0) + records,
    }
  })
  return {
    ...run,
    slices: run.slices + 1,
    records: run.records + attempt.taken,
    bytes: {
      read: (run.bytes?.read ?? 0) + attempt.takenBytes,
      written: batches.reduce((sum, { bytes }) => sum + bytes.length, run.bytes?.written ?? 0),
    },
    phases: session.phases.addedTo(run.phases),
    partitions,
    steps: attempt.counts.addedTo(run.steps),
    streamTime,
    streamTimeBy: streamTimeBy(facts),
    digests: attempt.digests.snapshot(),
    movedRows: run.movedRows + attempt.stores.moved(),
    stores: Object.entries(sizes).map(([name, entries]) => ({ name, entries })),
    ...(end === 'end' && !endless ? { status: 'done', finishedAt, durationMs: finishedAt - run.startedAt } : {}),
  }
}

/** Over all steps and tasks; null before the first record. What stores keep beside them does not count. */
function greatestStreamTime(times: Checkpoint['streamTimes']): number | null {
  let greatest: number | null = null
  for (const [key, time] of Object.entries(times)) {
    if (!key.includes(`${NEWEST_WINDOW}/`) && (greatest === null || time > greatest)) greatest = time
  }
  return greatest
}

function skipEvent({ now }: SliceFacts, detail: HistoryEvent['detail']): HistoryEvent {
  return { kind: 'skipped', seq: 0, runId: null, at: now, detail }
}
