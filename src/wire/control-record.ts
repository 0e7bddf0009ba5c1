import type { Place } from '../core/place.ts'
import { RecordCursor } from './record-cursor.ts'
import { corruptBatch } from './wire-error.ts'

/** What a control batch stands for. `other` are the broker's own notes (leader changes, snapshots): no reader needs them. */
export type ControlRecord =
  | {
      readonly kind: 'commit' | 'abort'
      readonly producerId: number
      readonly producerEpoch: number
      readonly coordinatorEpoch: number
      readonly offset: number
      /** The broker's wall clock, epoch ms. */
      readonly timestamp: number
    }
  | { readonly kind: 'other'; readonly offset: number }

const KEY_BYTES = 4
const VALUE_BYTES = 6
const ABORT = 0
const COMMIT = 1

/**
 * Reads a control batch; undefined when compaction has left only its header. Throws as `RecordCursor.open`, and
 * RECORD_BATCH_CORRUPT for a batch that is no control batch.
 */
export function readControlBatch(batch: Uint8Array, where: Place = {}): ControlRecord | undefined {
  const cursor = new RecordCursor()
  cursor.open(batch, where)
  const { header } = cursor
  const at = { ...where, offset: header.baseOffset }
  if (!header.isControl) throw corruptBatch('it is not a control batch', at)
  if (!cursor.next()) return undefined
  const { bytes, offset, timestamp, keyStart, valueStart } = cursor
  if (keyStart < 0 || cursor.keyEnd - keyStart < KEY_BYTES) throw corruptBatch('its control record has no type', at)
  const type = bytes.readInt16BE(keyStart + 2)
  if (type !== ABORT && type !== COMMIT) return { kind: 'other', offset }
  if (valueStart < 0 || cursor.valueEnd - valueStart < VALUE_BYTES) throw corruptBatch('its marker has no epoch', at)
  return {
    kind: type === COMMIT ? 'commit' : 'abort',
    producerId: header.producerId,
    producerEpoch: header.producerEpoch,
    coordinatorEpoch: bytes.readInt32BE(valueStart + 2),
    offset,
    timestamp,
  }
}
