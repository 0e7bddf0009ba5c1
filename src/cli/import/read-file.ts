import type { Files } from '../../compose.ts'
import type { Progress } from '../output/progress.ts'
import { BadRows } from './bad-rows.ts'
import { CsvRecords } from './csv-records.ts'
import type { ImportRequest } from './import-request.ts'
import { JsonlRecords } from './jsonl-records.ts'
import type { RecordCollector } from './record-collector.ts'
import type { Column } from './row-encoder.ts'
import type { TimestampSource } from './row-timestamps.ts'

/** What a file turned out to be. */
export interface ReadFile {
  readonly timestamps: TimestampSource
  /** Of a csv file. */
  readonly columns: readonly Column[]
}

/** What reading a file needs of its surroundings. */
export interface Reading {
  readonly files: Files
  readonly progress: Progress
  readonly stop: AbortSignal
  readonly now: number
}

/**
 * Reads the whole file into records. `collector` makes an empty one: where a late row shows that a column holds text
 * after all, everything is encoded again from the start. Throws BAD_DATA with file and lines, and the stop's reason.
 */
export async function readFile(
  request: ImportRequest,
  reading: Reading,
  collector: () => RecordCollector,
): Promise<ReadFile & { readonly collected: RecordCollector }> {
  if (request.format === 'jsonl') return await readJsonl(request, reading, collector())
  const first = await readCsv(request, reading, collector(), undefined)
  if (!first.widened) return first
  return await readCsv(request, reading, collector(), first.columns)
}

async function readCsv(
  request: ImportRequest,
  { files, progress, stop, now }: Reading,
  collected: RecordCollector,
  known: readonly Column[] | undefined,
) {
  const bad = new BadRows(request.file)
  let records: CsvRecords | undefined
  for await (const block of files.csvBlocks(request.file, request.delimiter)) {
    stop.throwIfAborted()
    let rows = block
    if (records === undefined) {
      records = new CsvRecords(block.rows[0] ?? [], request, bad, now, known)
      rows = { ...block, rows: block.rows.slice(1), lineOf: (row) => block.lineOf(row + 1) }
      records.learn(rows)
    }
    records.addTo(collected, rows)
    collected.flush(false)
    progress.update(block.bytesRead)
  }
  records ??= new CsvRecords([], request, bad, now)
  bad.throwIfAny()
  collected.flush(true)
  return { timestamps: records.timestamps, columns: records.columns, widened: records.widened, collected }
}

async function readJsonl(request: ImportRequest, { files, progress, stop, now }: Reading, collected: RecordCollector) {
  const bad = new BadRows(request.file)
  const records = new JsonlRecords(request, bad, now)
  for await (const block of files.lineBlocks(request.file)) {
    stop.throwIfAborted()
    records.addTo(collected, block.text, block.firstLine)
    collected.flush(false)
    progress.update(block.bytesRead)
  }
  bad.throwIfAny()
  collected.flush(true)
  return { timestamps: records.timestamps, columns: [], collected }
}
