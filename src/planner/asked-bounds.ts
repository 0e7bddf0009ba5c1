import { TidemarkError } from '../core/errors.ts'
import { type Bound, formatBound, timeOfBound } from './bound.ts'
import { formatIsoTime } from './iso-time.ts'
import { parseBound } from './parse-bound.ts'
import type { PlanRequest } from './plan-request.ts'

/** The bounds of a request, read and found to be free of contradiction as far as that needs no log. */
export interface AskedBounds {
  readonly from: Bound
  readonly to: Bound
  /** The job's `start`; read only where it is needed. */
  readonly start: Bound
  readonly times: { readonly from: number | null; readonly to: number | null }
  readonly advanceTo: number | null
}

type BoundsRequest = Pick<
  PlanRequest,
  'job' | 'kind' | 'checkpoint' | 'liveCheckpoint' | 'from' | 'to' | 'start' | 'now' | 'advanceTime'
>

/** Throws USAGE for a bound that cannot be read or has no meaning here, JOB_INVALID for the job's own `start`. */
export function readAskedBounds(request: BoundsRequest): AskedBounds {
  const { now } = request
  const from = parseBound(request.from, '--from')
  const to = parseBound(request.to, '--to')
  requireCheckpoint(from, to, request)
  requireOrder(from, to, now)
  const times = { from: timeOfBound(from, now), to: timeOfBound(to, now) }
  return {
    from,
    to,
    start: readStart(request),
    times,
    advanceTo: request.advanceTime ? advanceTo(times.to, now) : null,
  }
}

function readStart({ job, start }: BoundsRequest): Bound {
  const bound = parseBound(start, `start of job ${job}`, 'JOB_INVALID')
  if (bound.kind !== 'checkpoint') return bound
  throw new TidemarkError('JOB_INVALID', `start of job ${job} "checkpoint" is where later runs start`, {
    hint: "Say where the first run starts: 'earliest', 'latest', an offset, a time or a span before now.",
  })
}

function requireCheckpoint(from: Bound, to: Bound, { kind, checkpoint, liveCheckpoint }: BoundsRequest): void {
  if (from.kind !== 'checkpoint' && checkpoint !== null) {
    throw new TidemarkError(
      'USAGE',
      `--from ${formatBound(from)}: this generation has a checkpoint and goes on from there`,
      {
        hint: 'Give the range a name of its own (--as), or replace the one that has this name (--replace).',
      },
    )
  }
  if (from.kind !== 'checkpoint' && kind === 'live') {
    throw new TidemarkError('USAGE', `--from ${formatBound(from)}: the live generation starts at the job's start`, {
      hint: 'A range with a start of its own is a generation of its own: name it with --as.',
    })
  }
  const live = kind === 'live' ? checkpoint : liveCheckpoint
  const fromLive = kind === 'range' && from.kind === 'checkpoint' && checkpoint === null
  const asksFor = to.kind === 'checkpoint' ? '--to' : fromLive ? '--from' : null
  if (asksFor === null || live !== null) return
  throw new TidemarkError('USAGE', `${asksFor} checkpoint: the job has no checkpoint yet`, {
    hint: 'Run the job once, or give another bound.',
  })
}

/** Two bounds of one kind are compared as they are written; others when the log has said what they mean. */
function requireOrder(from: Bound, to: Bound, now: number): void {
  const start = timeOfBound(from, now)
  const end = timeOfBound(to, now)
  if (start !== null && end !== null) {
    if (start > end) throw reversed(from, to, `${formatIsoTime(start)} is later than ${formatIsoTime(end)}`)
  } else if (from.kind === 'offset' && to.kind === 'offset') {
    if (from.offset > to.offset) throw reversed(from, to, 'the start lies past the end')
  } else if (from.kind === 'offsets' && to.kind === 'offsets') {
    for (const { topic, partition, offset } of from.offsets) {
      const other = to.offsets.find((end) => end.topic === topic && end.partition === partition)
      if (other !== undefined && offset > other.offset) {
        throw reversed(from, to, `${topic}[${partition}] starts at ${offset} and ends at ${other.offset}`)
      }
    }
  }
}

function reversed(from: Bound, to: Bound, why: string): TidemarkError {
  return new TidemarkError('USAGE', `--from ${formatBound(from)} --to ${formatBound(to)} is reversed: ${why}`, {
    hint: 'A range is [from, to): its start comes first.',
  })
}

function advanceTo(to: number | null, now: number): number {
  if (to === null) {
    throw new TidemarkError('USAGE', '--advance-time needs an end that is a time', {
      hint: 'Give the end as a time (--to 2013-01-31T06:00Z) or a span before now (--to=-5m).',
    })
  }
  if (to <= now) return to
  throw new TidemarkError(
    'USAGE',
    `--advance-time to ${formatIsoTime(to)}: that is later than now, ${formatIsoTime(now)}`,
    {
      hint: 'Stream time moves only to what has been: everything that comes until then would be late.',
    },
  )
}
