import type { PartitionRange } from '../../../core/offsets.ts'
import type { Isolation } from '../../../ports/log.ts'
import { LinkFailure } from '../connection/link-failure.ts'
import { refusal } from '../connection/refusal.ts'
import { ERROR, isUnknownTopic } from '../protocol/error-code.ts'
import type { FetchedPartition } from '../protocol/fetch.ts'
import { truncated } from './read-loss.ts'
import { type VisibleBatches, visibleBatches } from './visible-batches.ts'

/** What one partition's answer means for its range. */
export type Verdict =
  | ({ readonly kind: 'batches' } & VisibleBatches)
  /** Others filled the answer: ask for it first. */
  | { readonly kind: 'starved' }
  /** The log holds nothing from the position to the range's end, as far as this answer can tell. */
  | { readonly kind: 'empty' }
  /** What may be read ends before the range does. */
  | { readonly kind: 'short' }
  /** The position is not in the log. */
  | { readonly kind: 'outside' }
  /** It may pass: find the leader again. */
  | { readonly kind: 'trouble'; readonly failure: Error }

/** Where a fetch of a range stood. */
export interface FetchedFrom {
  readonly range: PartitionRange
  readonly position: number
  /** True when the range was first in its request: what the log holds there is in the answer, however large. */
  readonly wasFirst: boolean
}

/** Judges an answer without records being looked at. Throws what ends the range: lost, damaged or forbidden input. */
export function judge(fetched: FetchedPartition, from: FetchedFrom, isolation: Isolation): Verdict {
  const { range, position, wasFirst } = from
  const { errorCode, records, aborted, divergesAt } = fetched
  const at = { topic: range.topic, partition: range.partition }
  if (errorCode === ERROR.OFFSET_OUT_OF_RANGE) return { kind: 'outside' }
  if (isUnknownTopic(errorCode)) {
    return { kind: 'trouble', failure: new LinkFailure(`${at.topic}[${at.partition}]`, 'its leader does not know it') }
  }
  if (errorCode !== ERROR.NONE) {
    const failure = refusal(errorCode, at)
    if (failure instanceof LinkFailure) return { kind: 'trouble', failure }
    throw failure
  }
  if (divergesAt !== undefined) throw truncated(at, Math.min(divergesAt, position), position)
  const visible = visibleBatches(records, aborted, position, range.to, isolation, at)
  if (visible.nextOffset > position) return { kind: 'batches', ...visible }
  if (!wasFirst) return { kind: 'starved' }
  const end = isolation === 'read_committed' ? fetched.lastStableOffset : fetched.highWatermark
  return { kind: end >= range.to ? 'empty' : 'short' }
}
