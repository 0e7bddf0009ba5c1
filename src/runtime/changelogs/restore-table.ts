import type { PartitionRange } from '../../core/offsets.ts'
import type { Log, LogReader } from '../../ports/log.ts'
import type { StoreRow, StoreTable } from '../../ports/store-table.ts'
import { RecordCursor } from '../../wire/record-cursor.ts'
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
  const target: Target = { fold: new ChangelogFold(table.shape), rows: new ChangelogRows(table), watch }
  let records = 0
  try {
    for (const [index, range] of ranges.entries()) records += await restorePartition(reader, index, range, target)
    await write(target)
    target.rows.settle()
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
  target: Target,
): Promise<number> {
  const { fold, watch } = target
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
        fold.take(key, cursor, partition)
        records++
      }
    }
    if (fold.isFull) await write(target)
    await watch.passed(chunk.nextOffset - position)
    position = chunk.nextOffset
  }
  return records
}

async function write({ fold, rows, watch }: Target): Promise<void> {
  let some: StoreRow[] = []
  for (const number of fold.lastWords()) {
    const word = fold.word(number)
    if (word.value === null) rows.remove(word, word.task)
    else if (some.push(word) === ROWS_AT_ONCE) {
      rows.put(some)
      some = []
      await watch.passed(0)
    }
  }
  rows.put(some)
  fold.clear()
}
