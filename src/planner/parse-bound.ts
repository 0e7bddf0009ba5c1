import { durationMs } from '../core/duration.ts'
import type { ErrorCode } from '../core/error-codes.ts'
import { isTidemarkError, TidemarkError } from '../core/errors.ts'
import type { Bound, PartitionOffset } from './bound.ts'
import { parseIsoTime } from './iso-time.ts'

const ALLOWED =
  'Write checkpoint, earliest, latest, an offset (12), offsets per partition (flights/0=12,flights/1=40), ' +
  'a time (2013-01-31, 2013-01-31T06:00Z, @1359612000000), a span before now (-6h), or a count of offsets (+10000).'

const PARTITION_OFFSET = /^([A-Za-z0-9._-]+)\/(\d+)=(\d+)$/

/**
 * Reads a bound. `what` names it in errors (`--from`, `the job's start`). Throws USAGE, or `code`, with what was
 * written and what is allowed.
 */
export function parseBound(text: string, what: string, code: ErrorCode = 'USAGE'): Bound {
  const refuse = (reason: string, hint = ALLOWED) =>
    new TidemarkError(code, `${what} ${JSON.stringify(text)} ${reason}`, { hint })
  const written = text.trim()
  if (written === 'checkpoint' || written === 'earliest' || written === 'latest') return { kind: written }
  if (/^\d+$/.test(written)) return { kind: 'offset', offset: exact(written, refuse) }
  if (/^\+\d+$/.test(written)) return { kind: 'count', count: exact(written, refuse) }
  if (/^@\d+$/.test(written)) return { kind: 'timestamp', timestamp: exact(written.slice(1), refuse) }
  if (written.includes('=')) return { kind: 'offsets', offsets: partitionOffsets(written, refuse) }
  if (written.startsWith('-')) return { kind: 'duration', ms: span(written.slice(1), refuse) }
  const timestamp = parseIsoTime(written)
  if (timestamp === undefined) throw refuse('is not a bound', isSpan(written) ? spanHint(written) : ALLOWED)
  if (timestamp < 0)
    throw refuse('lies before 1970, where records have no time', "Write 'earliest' for the log's start.")
  return { kind: 'timestamp', timestamp }
}

type Refuse = (reason: string, hint?: string) => TidemarkError

function exact(digits: string, refuse: Refuse): number {
  const value = Number(digits)
  if (!Number.isSafeInteger(value)) throw refuse('is too large to be counted exactly')
  return value
}

function partitionOffsets(text: string, refuse: Refuse): readonly PartitionOffset[] {
  const offsets = new Map<string, PartitionOffset>()
  for (const part of text.split(',')) {
    const [, topic, partition, offset] = PARTITION_OFFSET.exec(part.trim()) ?? []
    if (topic === undefined || partition === undefined || offset === undefined) {
      throw refuse(`holds ${JSON.stringify(part)}, which is not topic/partition=offset`)
    }
    const key = `${topic}/${Number(partition)}`
    if (offsets.has(key)) throw refuse(`names ${key} twice`)
    offsets.set(key, { topic, partition: exact(partition, refuse), offset: exact(offset, refuse) })
  }
  return [...offsets.values()].sort(byTopicAndPartition)
}

function byTopicAndPartition(left: PartitionOffset, right: PartitionOffset): number {
  if (left.topic !== right.topic) return left.topic < right.topic ? -1 : 1
  return left.partition - right.partition
}

function span(text: string, refuse: Refuse): number {
  if (!isSpan(text))
    throw refuse('is not a span before now', "Write a number and a unit, as in '-90m', '-6h' or '-1d12h'.")
  return durationMs(text)
}

function isSpan(text: string): boolean {
  if (/^\d*$/.test(text)) return false
  try {
    durationMs(text)
    return true
  } catch (error) {
    if (isTidemarkError(error, 'USAGE')) return false
    throw error
  }
}

function spanHint(text: string): string {
  return `Write -${text} for the time ${text} before now (with an equals sign on the command line: --from=-${text}).`
}
