import type { PartitionRange } from '../core/offsets.ts'
import type { Log } from '../ports/log.ts'
import type { StoreTable } from '../ports/store-table.ts'
import { RecordCursor } from '../wire/record-cursor.ts'
import { rowAddress } from './changelog-key.ts'
import { ChangelogRows } from './changelog-rows.ts'
import type { RestoreWatch } from './restore-watch.ts'

/** Fills an empty table from the partitions of its changelog, and gives the number of records that it took. */
export async function restoreTable(
  log: Log,
  table: StoreTable,
  ranges: readonly PartitionRange[],
  watch: Pick<RestoreWatch, 'passed'>,
): Promise<number> {
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  const rows = new ChangelogRows(table)
  let records = 0
  try {
    for (const [index, { partition, from, to }] of ranges.entries()) {
      let position = from
      for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
        for (const batch of chunk.batches) records += applyBatch(batch, rows, table, partition, from, to)
        await watch.passed(chunk.nextOffset - position)
        position = chunk.nextOffset
      }
    }
    rows.settle()
  } finally {
    await reader.close()
  }
  return records
}

/** Applies the records of one batch in their order: the last one of a row counts, and a tombstone removes it. */
function applyBatch(
  batch: Uint8Array,
  rows: ChangelogRows,
  { shape }: StoreTable,
  task: number,
  from: number,
  to: number,
): number {
  const cursor = new RecordCursor()
  cursor.open(batch)
  let records = 0
  while (cursor.next()) {
    if (cursor.offset < from || cursor.offset >= to) continue
    const key = cursor.key()
    if (key === null) continue
    const address = rowAddress(shape, key)
    const value = cursor.value()
    if (value === null) rows.remove(address, task)
    else rows.put({ ...address, value, timestamp: cursor.timestamp, task })
    records++
  }
  return records
}
