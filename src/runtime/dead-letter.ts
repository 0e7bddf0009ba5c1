import type { Header } from '../core/headers.ts'
import type { BatchStager } from './batch-stager.ts'
import type { PartitionInput } from './input/partition-input.ts'

/**
 * Writes the head of `input` to the dead-letter topic: its raw bytes and headers as they came, then the place and the
 * reason as headers of their own, `tidemark.topic`, `tidemark.partition`, `tidemark.offset`, `tidemark.timestamp`, `tidemark.reason`,
 * `tidemark.error` and `tidemark.job`.
 */
export function writeDeadLetter(stager: BatchStager, job: string, input: PartitionInput): void {
  const { rejection, rawKey, bytes, valueStart, valueEnd } = input
  if (rejection === null) return
  const value = valueStart < 0 ? null : bytes.subarray(valueStart, valueEnd)
  const added: Header[] = [
    text('tidemark.job', job),
    text('tidemark.topic', input.topic),
    text('tidemark.partition', String(input.partition)),
    text('tidemark.offset', String(input.offset)),
    text('tidemark.timestamp', String(input.recordTimestamp)),
    text('tidemark.reason', rejection.reason),
  ]
  if (rejection.error !== null) added.push(text('tidemark.error', rejection.error.message))
  stager.append(rawKey, value, input.timestamp, [...input.headers, ...added], input.partition)
}

function text(name: string, value: string): Header {
  return [name, Buffer.from(value, 'utf8')]
}
