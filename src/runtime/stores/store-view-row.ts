import type { ByteString } from '../../core/bytes.ts'
import type { KeyTimeRow } from '../../operators/state.ts'
import { CachedEntry } from './store-view-entry.ts'

/** A row of a key-time store as the write-behind holds it. */
export class CachedRow extends CachedEntry implements KeyTimeRow {
  readonly key: ByteString
  readonly time: number
  readonly ordinal: number

  constructor(
    key: ByteString,
    time: number,
    ordinal: number,
    value: unknown,
    timestamp: number,
    task: number,
    rowTask: number,
  ) {
    super(value, timestamp, task, rowTask)
    this.key = key
    this.time = time
    this.ordinal = ordinal
  }
}
