import { asBuffer } from '../../../core/bytes.ts'
import { TidemarkError } from '../../../core/errors.ts'
import type { Token } from '../../../core/token.ts'
import type { CommitRecord, Delivery } from '../../../ports/outside.ts'

/** Of the layout below. A reader that meets another one stops. */
const VERSION = 1
const NEWLINE = 0x0a

/**
 * A commit record as it lies in the commit topic: a line of JSON, `{version, token, delivery}`, and behind it the part
 * `checkpoint`, byte for byte. Without a checkpoint nothing follows the line.
 */
export function encodeCommit({ token, checkpoint, delivery }: CommitRecord): Buffer {
  const head = Buffer.from(`${JSON.stringify({ version: VERSION, token, delivery })}\n`, 'utf8')
  return checkpoint === null ? head : Buffer.concat([head, checkpoint])
}

/** Throws FENCED for what this version does not know: a newer one has run the job meanwhile. */
export function decodeCommit(value: Uint8Array, topic: string, offset: number): CommitRecord {
  const bytes = asBuffer(value)
  const end = bytes.indexOf(NEWLINE)
  const head = end < 0 ? undefined : parsed(bytes.toString('utf8', 0, end))
  if (!isHead(head)) throw unknownCommit(head, topic, offset)
  const { token, delivery } = head
  const { instance, runId, leaseUntil, endsRun } = delivery
  return {
    token: token === null ? null : { seq: token.seq, id: token.id, parent: token.parent },
    checkpoint: token === null ? null : Buffer.from(bytes.subarray(end + 1)),
    delivery: { instance, runId, leaseUntil, endsRun },
  }
}

interface Head {
  readonly token: Token | null
  readonly delivery: Delivery
}

function isHead(head: unknown): head is Head {
  if (!isObject(head) || head.version !== VERSION) return false
  const { token, delivery } = head
  return (token === null || isObject(token)) && isObject(delivery)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unknownCommit(head: unknown, topic: string, offset: number): TidemarkError {
  const version = isObject(head) && typeof head.version === 'number' ? `version ${head.version}` : 'an unknown form'
  return new TidemarkError('FENCED', `the last commit record of the job is of ${version}`, {
    at: { topic, partition: 0, offset },
    hint: 'Another version of Tidemark has run this job: run it with that one, here too.',
  })
}
