import type { Files } from '../../compose.ts'
import type { PartitionRange } from '../../core/offsets.ts'
import type { Log } from '../../ports/log.ts'
import type { Progress } from '../output/progress.ts'
import { CsvColumns } from './csv-columns.ts'
import { readRecords } from './read-records.ts'
import { onOneLine, recordLine, valueText } from './record-text.ts'

export interface ExportRequest {
  readonly format: 'csv' | 'jsonl'
  /** Without place, time and key. */
  readonly valuesOnly: boolean
}

export interface ExportSurroundings {
  readonly log: Log
  readonly files: Files
  readonly progress: Progress
  readonly stop: AbortSignal
  /** Takes text, one or more whole lines. */
  write(text: string): Promise<void>
}

/** Writes the records of the ranges, partition after partition, in offset order. Gives their number. */
export async function exportTopic(
  ranges: readonly PartitionRange[],
  request: ExportRequest,
  around: ExportSurroundings,
): Promise<number> {
  return request.format === 'csv'
    ? await exportCsv(ranges, request, around)
    : await exportJsonl(ranges, request, around)
}

async function exportJsonl(
  ranges: readonly PartitionRange[],
  { valuesOnly }: ExportRequest,
  { log, progress, stop, write }: ExportSurroundings,
): Promise<number> {
  let records = 0
  let lines: string[] = []
  await readRecords(log, ranges, {
    record(cursor, partition) {
      records++
      lines.push(valuesOnly ? valueLine(valueText(cursor)) : recordLine(cursor, partition))
    },
    async chunk() {
      stop.throwIfAborted()
      progress.update(records)
      if (lines.length > 0) await write(`${lines.join('\n')}\n`)
      lines = []
    },
  })
  return records
}

async function exportCsv(
  ranges: readonly PartitionRange[],
  { valuesOnly }: ExportRequest,
  { log, files, progress, stop, write }: ExportSurroundings,
): Promise<number> {
  const columns = new CsvColumns(valuesOnly)
  const chunk = async () => stop.throwIfAborted()
  await readRecords(log, ranges, { record: (cursor) => columns.see(cursor), chunk })
  await write(files.csvText([columns.header]))
  let records = 0
  let rows: (readonly string[])[] = []
  await readRecords(log, ranges, {
    record(cursor, partition) {
      records++
      rows.push(columns.row(cursor, partition))
    },
    async chunk() {
      stop.throwIfAborted()
      progress.update(records)
      if (rows.length > 0) await write(files.csvText(rows))
      rows = []
    },
  })
  return records
}

/** A value as a line of JSON: text that is not JSON becomes a JSON string, and so does the base64 of other bytes. */
function valueLine(value: ReturnType<typeof valueText>): string {
  if (value.kind === 'null') return 'null'
  return value.kind === 'json' ? onOneLine(value.text) : JSON.stringify(value.text)
}
