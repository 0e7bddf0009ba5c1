import type Sqlite from 'better-sqlite3'
import type { TopicPartition } from '../../../core/offsets.ts'
import { AT } from '../../../wire/batch-layout.ts'
import { readInt64 } from '../../../wire/int64.ts'
import { corruptBatch } from '../../../wire/wire-error.ts'
import type { Database } from '../database.ts'

/** A batch's place. */
export interface BatchRow {
  readonly baseOffset: number
  readonly nextOffset: number
  readonly maxTimestamp: number
  /** Length of its bytes. */
  readonly bytes: number
  /** Where its bytes are. */
  readonly number: number
}

const ROWS = `
  SELECT base_offset AS baseOffset, next_offset AS nextOffset, max_timestamp AS maxTimestamp, size AS bytes, number
  FROM batches`

/** Record batches: their places, in offset order, and their bytes. `partition` is the number of a partition's row. */
export class BatchRows {
  readonly #insertBytes: Sqlite.Statement<[Uint8Array]>
  readonly #insert: Sqlite.Statement<[number, number, number, number, number, number | bigint]>
  readonly #between: Sqlite.Statement<[number, number, number, number, number], BatchRow>
  readonly #bytes: Sqlite.Statement<[number], Buffer>
  readonly #totalBytes: Sqlite.Statement<[number, number], number>
  readonly #firstAtTime: Sqlite.Statement<[number, number, number], number>
  readonly #updateBytes: Sqlite.Statement<[Uint8Array, number]>
  readonly #update: Sqlite.Statement<[number, number, number, number]>
  readonly #deleteBytes: Sqlite.Statement<[number]>
  readonly #delete: Sqlite.Statement<[number, number]>

  constructor(db: Database) {
    this.#insertBytes = db.prepare('INSERT INTO batch_bytes (bytes) VALUES (?)')
    this.#insert = db.prepare(
      'INSERT INTO batches (partition, base_offset, next_offset, max_timestamp, size, number) VALUES (?, ?, ?, ?, ?, ?)',
    )
    // The batch that holds `from` begins at or before it: that is where the search in the primary key begins.
    this.#between = db.prepare(`${ROWS} WHERE partition = ? AND base_offset < ? AND next_offset > ? AND base_offset >=
      coalesce((SELECT max(base_offset) FROM batches WHERE partition = ? AND base_offset <= ?), 0) ORDER BY base_offset`)
    this.#bytes = db.prepare<[number], Buffer>('SELECT bytes FROM batch_bytes WHERE number = ?').pluck()
    this.#totalBytes = db
      .prepare<[number, number], number>(
        'SELECT coalesce(sum(size), 0) FROM batches WHERE partition = ? AND next_offset > ?',
      )
      .pluck()
    this.#firstAtTime = db
      .prepare<[number, number, number], number>(
        `SELECT base_offset FROM batches WHERE partition = ? AND next_offset > ? AND max_timestamp >= ?
        ORDER BY base_offset LIMIT 1`,
      )
      .pluck()
    this.#updateBytes = db.prepare('UPDATE batch_bytes SET bytes = ? WHERE number = ?')
    this.#update = db.prepare('UPDATE batches SET max_timestamp = ?, size = ? WHERE partition = ? AND base_offset = ?')
    this.#deleteBytes = db.prepare('DELETE FROM batch_bytes WHERE number = ?')
    this.#delete = db.prepare('DELETE FROM batches WHERE partition = ? AND base_offset = ?')
  }

  insert(partition: number, baseOffset: number, nextOffset: number, maxTimestamp: number, bytes: Uint8Array): void {
    const { lastInsertRowid } = this.#insertBytes.run(bytes)
    this.#insert.run(partition, baseOffset, nextOffset, maxTimestamp, bytes.length, lastInsertRowid)
  }

  /**
   * The first batches that overlap `[from, to)`, as many as fit into `maxBytes` and one at least; and the position after
   * them: that of the next batch, or `to`.
   */
  between(partition: number, from: number, to: number, maxBytes: number): { rows: BatchRow[]; nextOffset: number } {
    const rows: BatchRow[] = []
    let left = maxBytes
    for (const row of this.#between.iterate(partition, to, from, partition, from)) {
      if (rows.length > 0 && row.bytes > left) return { rows, nextOffset: row.baseOffset }
      rows.push(row)
      left -= row.bytes
    }
    return { rows, nextOffset: to }
  }

  /** Every batch from `from` on, in offset order. Nothing else may be asked of the file until a loop over it ends. */
  *from(partition: number, from: number): Generator<BatchRow> {
    yield* this.#between.iterate(partition, Number.MAX_SAFE_INTEGER, from, partition, from)
  }

  /** Throws RECORD_BATCH_CORRUPT for bytes that are not those of the row: no checksum covers a batch's base offset. */
  bytes(row: BatchRow, at: TopicPartition): Buffer {
    const bytes = this.#bytes.get(row.number)
    if (bytes?.length === row.bytes && readInt64(bytes, AT.baseOffset) === row.baseOffset) return bytes
    throw corruptBatch('its bytes are not those that its place in the log file promises', {
      topic: at.topic,
      partition: at.partition,
      offset: row.baseOffset,
    })
  }

  /** Bytes of the batches that reach past `from`. */
  totalBytes(partition: number, from: number): number {
    return this.#totalBytes.get(partition, from) ?? 0
  }

  /** Base offset of the first batch that reaches past `from` and has a record at or past `timestamp`. */
  firstAtTime(partition: number, from: number, timestamp: number): number | undefined {
    return this.#firstAtTime.get(partition, from, timestamp)
  }

  replace(partition: number, row: BatchRow, maxTimestamp: number, bytes: Uint8Array): void {
    this.#updateBytes.run(bytes, row.number)
    this.#update.run(maxTimestamp, bytes.length, partition, row.baseOffset)
  }

  delete(partition: number, row: BatchRow): void {
    this.#deleteBytes.run(row.number)
    this.#delete.run(partition, row.baseOffset)
  }
}
