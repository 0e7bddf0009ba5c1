import type { PartitionRange } from '../core/offsets.ts'
import type { Log, LogReader } from '../ports/log.ts'
import type { StoreRow, StoreTable } from '../ports/store-table.ts'
import { RecordCursor } from '../wire/record-cursor.ts'
import { ChangelogFold } from './changelog-fold.ts'
import { ChangelogRows } from './changelog-rows.ts'
import type { RestoreWatch } from './restore-watch.ts'

/** Rows that are written before others get a turn. */
const ROWS_AT_ONCE = 4096

type Watch = Pick<RestoreWatch, 'passed'>

/** Fills an empty table from the partitions of its changelog, and gives the number of records that it took. */
export async function restoreTable(
  log: Log,
  table: StoreTable,
  ranges: readonly PartitionRange[],
  watch: Watch,
): Promise<number> {
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  const rows = new ChangelogRows(table)
  let records = 0
  try {
    for (const [index, range] of ranges.entries()) {
      const fold = new ChangelogFold(table.shape, range.partition)
      records += await restorePartition(reader, index, range, { fold, rows, watch })
    }
    rows.settle()
  } finally {
    await reader.close()
  }
  return records
}

interface Target {
  readonly fold: ChangelogFold
  readonly rows: ChangelogRows
  readonly watch: Watch
}

/** Of a row's records the last one counts, and a tombstone removes it. */
async function restorePartition(
  reader: LogReader,
  index: number,
  { partition, from, to }: PartitionRange,
  { fold, rows, watch }: Target,
): Promise<number> {
  const cursor = new RecordCursor()
  let records = 0
  let position = from
  for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
    for (const batch of chunk.batches) {
      cursor.open(batch)
      fold.hold(cursor.bytes.length)
      while (cursor.next()) {
        const key = cursor.key()
        if (key === null || cursor.offset < from || cursor.offset >= to) continue
        fold.take(key, cursor)
        records++
      }
    }
    if (fold.isFull) await write(fold, rows, partition, watch)
    await watch.passed(chunk.nextOffset - position)
    position = chunk.nextOffset
  }
  await write(fold, rows, partition, watch)
  return records
}

async function write(fold: ChangelogFold, rows: ChangelogRows, task: number, watch: Watch): Promise<void> {
  let some: StoreRow[] = []
  for (const word of fold.drain()) {
    if (word.value === null) rows.remove(word, task)
    else if (some.push(word) === ROWS_AT_ONCE) {
      rows.put(some)
      some = []
      await watch.passed(0)
    }
  }
  rows.put(some)
}
