import { unreachable } from '../core/errors.ts'
import { formatIsoTime } from './iso-time.ts'

/** One end of a range, as it was asked: what it means in each partition is worked out when the plan is made. */
export type Bound =
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'earliest' }
  | { readonly kind: 'latest' }
  /** The same offset in every partition. */
  | { readonly kind: 'offset'; readonly offset: number }
  /** Sorted by topic and partition, none twice. */
  | { readonly kind: 'offsets'; readonly offsets: readonly PartitionOffset[] }
  /** The first visible record at or past this time, epoch ms. */
  | { readonly kind: 'timestamp'; readonly timestamp: number }
  /** The time that lies this many ms before the run's clock. */
  | { readonly kind: 'duration'; readonly ms: number }
  /** That many offsets on from where the partition starts. */
  | { readonly kind: 'count'; readonly count: number }

export interface PartitionOffset {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

/** The one text of a bound: bounds that mean the same have the same text, and it reads back as the same bound. */
export function formatBound(bound: Bound): string {
  switch (bound.kind) {
    case 'checkpoint':
    case 'earliest':
    case 'latest':
      return bound.kind
    case 'offset':
      return String(bound.offset)
    case 'offsets':
      return bound.offsets.map(({ topic, partition, offset }) => `${topic}/${partition}=${offset}`).join(',')
    case 'timestamp':
      return formatIsoTime(bound.timestamp)
    case 'duration':
      return `-${exactSpan(bound.ms)}`
    case 'count':
      return `+${bound.count}`
    default:
      return unreachable(bound, 'this bound')
  }
}

/** The time a bound stands for, epoch ms; null where it is not on time. `now` is the run's recorded clock. */
export function timeOfBound(bound: Bound, now: number): number | null {
  if (bound.kind === 'timestamp') return bound.timestamp
  if (bound.kind === 'duration') return Math.max(0, now - bound.ms)
  return null
}

const SPAN_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
] as const

function exactSpan(ms: number): string {
  let left = ms
  let text = ''
  for (const [unit, size] of SPAN_UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) text += `${count}${unit}`
  }
  return text === '' ? '0s' : text
}
