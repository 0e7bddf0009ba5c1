import { partitionKey } from '../core/offsets.ts'
import { type AskedBounds, readAskedBounds } from './asked-bounds.ts'
import { type Bound, formatBound, timeOfBound } from './bound.ts'
import { checkIdentity } from './identity.ts'
import { boundInputs, describeInputs, type InputPartition, type InputTopics } from './inputs.ts'
import { checkNamedPartitions } from './named-partitions.ts'
import { hashPlan } from './plan-hash.ts'
import { planNotices } from './plan-notices.ts'
import type { PlanRequest, PlanResult } from './plan-request.ts'
import type { Plan } from './plan-types.ts'
import { rangeName } from './range-name.ts'
import { type PlannedEnd, resolveEnd } from './resolve-end.ts'
import { resolveStart, type WantedStart } from './resolve-start.ts'
import { type SettledStarts, settleStarts } from './settle-starts.ts'
import { offsetsAtTime } from './time-bound.ts'

/**
 * Makes the plan of a run (section 3 of the design): every partition's range, fixed before the first record is read. It
 * asks the log and changes nothing. Throws USAGE and JOB_INVALID for bounds, INPUT_MISSING, INPUT_REPLACED and INPUT_LOST
 * for topics, LOG_UNREACHABLE, and what a damaged batch throws.
 */
export async function makePlan(request: PlanRequest): Promise<PlanResult> {
  const { job, log, sources } = request
  const asked = readAskedBounds(request)
  const described = await describeInputs(log, job, sources)
  const inputs = await boundInputs(log, sources, described.topics, request.isolation)
  const accepted = checkIdentity(job, identityCheckpoint(request, asked), described, inputs, request.acceptTopics)
  requireNamed(request, asked, inputs)
  const starts = await wantedStarts(request, asked, inputs, accepted)
  const settled = settleStarts(job, starts, request.onDataLoss)
  const ends = await plannedEnds(request, asked, starts, settled)
  const notices = await planNotices({ request, asked, topics: described.topics, starts, settled, ends, accepted })
  const plan = assemble(request, asked, described, { starts, settled, ends, accepted, notices })
  return { plan, nothingToDo: changesNothing(plan, request), held: heldEnds(starts, ends) }
}

/** What is known of the topics: by the generation itself, or by the live one where an empty range leans on it. */
function identityCheckpoint({ kind, checkpoint, liveCheckpoint }: PlanRequest, { from, to }: AskedBounds) {
  if (checkpoint !== null || kind === 'live') return checkpoint
  return from.kind === 'checkpoint' || to.kind === 'checkpoint' ? liveCheckpoint : null
}

/** The bound that streams of an empty generation start at. */
function firstBound(
  { kind, checkpoint }: PlanRequest,
  { from, start }: Pick<AskedBounds, 'from' | 'start'>,
): Bound | null {
  if (checkpoint !== null) return null
  return kind === 'live' ? start : from
}

function requireNamed(request: PlanRequest, asked: AskedBounds, inputs: readonly InputPartition[]): void {
  const streams = inputs.filter((input) => input.role === 'stream')
  const first = firstBound(request, asked)
  if (first !== null) {
    checkNamedPartitions(first, request.kind === 'live' ? "the job's start" : '--from', streams, streams)
  }
  checkNamedPartitions(asked.to, '--to', inputs, request.kind === 'live' ? inputs : streams)
}

async function wantedStarts(
  request: PlanRequest,
  { from, start }: AskedBounds,
  inputs: readonly InputPartition[],
  accepted: readonly string[],
): Promise<readonly WantedStart[]> {
  const first = firstBound(request, { from, start })
  const streams = inputs.filter((input) => input.role === 'stream')
  const atTime = first === null ? NONE : await atTimeOf(request, first, streams)
  const { kind, checkpoint, liveCheckpoint } = request
  return inputs.map((input) => resolveStart(input, { kind, checkpoint, liveCheckpoint, from, start, accepted, atTime }))
}

async function plannedEnds(
  request: PlanRequest,
  { from, to }: AskedBounds,
  starts: readonly WantedStart[],
  settled: SettledStarts,
): Promise<readonly PlannedEnd[]> {
  const { kind } = request
  const inputs = starts.map((start) => start.input)
  const atTime = await atTimeOf(request, to, inputs)
  const checkpoint = kind === 'live' ? request.checkpoint : request.liveCheckpoint
  return starts.map((start, index) => {
    const at = settled.from[index] ?? start.wanted
    return resolveEnd(start, at, { kind, from, to, checkpoint, atTime })
  })
}

const NONE: ReadonlyMap<string, number> = new Map()

/** For a bound on time the offset it has in each partition. The ends in `inputs` were fetched before this look-up. */
async function atTimeOf(
  { log, now, isolation, maxFutureSkew }: PlanRequest,
  bound: Bound,
  inputs: readonly InputPartition[],
): Promise<ReadonlyMap<string, number>> {
  const timestamp = timeOfBound(bound, now)
  if (timestamp === null) return NONE
  // Under the fail policy a record from the future ends the run, so it counts; otherwise the run passes over it.
  const passedOver = maxFutureSkew !== null && maxFutureSkew.then !== 'fail'
  const latest = passedOver ? now + maxFutureSkew.limitMs : Number.POSITIVE_INFINITY
  const targets = inputs.map(({ topic, partition, start, end }) => ({ topic, partition, from: start, to: end }))
  const offsets = await offsetsAtTime(log, targets, timestamp, { isolation, latest })
  return new Map(
    inputs.map((input, index) => [partitionKey(input.topic, input.partition), offsets[index] ?? input.end]),
  )
}

interface Parts {
  readonly starts: readonly WantedStart[]
  readonly settled: SettledStarts
  readonly ends: readonly PlannedEnd[]
  readonly accepted: readonly string[]
  readonly notices: readonly string[]
}

function assemble(request: PlanRequest, asked: AskedBounds, described: InputTopics, parts: Parts): Plan {
  const { starts, settled, ends, accepted, notices } = parts
  const unnamed = {
    version: 1,
    job: request.job,
    asked: { from: formatBound(asked.from), to: formatBound(asked.to) },
    times: asked.times,
    isolation: request.isolation,
    partitions: starts.map(({ input: { topic, partition, role, rank }, wanted, startedBy }, index) => {
      const from = settled.from[index] ?? wanted
      return { topic, partition, role, rank, from, to: ends[index]?.to ?? from, startedBy }
    }),
    advanceTo: asked.advanceTo,
    closeWindows: request.closeWindows,
    gaps: settled.gaps,
    accepted,
    topicIds: Object.fromEntries(described.topics.map(({ name, id }) => [name, id])),
    clusterId: described.clusterId,
    heldBack: ends.reduce((sum, end) => sum + end.heldBack, 0),
    notices,
  } as const
  const unhashed = { ...unnamed, generation: request.generation ?? rangeName(unnamed) }
  return { ...unhashed, hash: hashPlan(unhashed) }
}

function heldEnds(starts: readonly WantedStart[], ends: readonly PlannedEnd[]): PlanResult['held'] {
  return starts.flatMap(({ input: { topic, partition, highWatermark } }, index) => {
    const end = ends[index]
    if (end === undefined || end.heldBack === 0) return []
    return [{ topic, partition, until: Math.min(end.asked, highWatermark) }]
  })
}

function changesNothing(plan: Plan, { checkpoint }: PlanRequest): boolean {
  if (checkpoint === null || plan.closeWindows || plan.advanceTo !== null || plan.accepted.length > 0) return false
  return plan.partitions.every(
    ({ topic, partition, from, to }) => from === to && checkpoint.offsets[partitionKey(topic, partition)] === from,
  )
}
