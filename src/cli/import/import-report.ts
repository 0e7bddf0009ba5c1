import { isoTime } from '../output/words.ts'
import type { ImportRequest } from './import-request.ts'
import type { ReadFile } from './read-file.ts'
import type { RecordCollector } from './record-collector.ts'

/** What an import did, as `--json` prints it. Times are ISO 8601. */
export interface ImportReport {
  readonly topic: string
  /** True where the import made the topic. */
  readonly created: boolean
  readonly file: string
  /** False where `--if-empty` found records: then nothing was read and nothing changed. */
  readonly imported: boolean
  readonly rows: number
  readonly withoutKey: number
  readonly key: readonly string[]
  readonly timestamps: { readonly from: string; readonly first: string | null; readonly last: string | null }
  /** Of a csv file; the type is null where every cell is. */
  readonly columns: readonly { readonly name: string; readonly type: string | null }[]
  /** `end` is the offset after the partition's last record. */
  readonly partitions: readonly { readonly partition: number; readonly rows: number; readonly end: number }[]
  readonly durationMs: number
  readonly rowsPerSecond: number
  readonly notices: readonly string[]
}

export interface Imported {
  readonly created: boolean
  readonly read: ReadFile
  readonly collected: RecordCollector
  readonly ends: readonly number[]
  readonly durationMs: number
}

export function importReport(request: ImportRequest, imported: Imported): ImportReport {
  const { created, read, collected, ends, durationMs } = imported
  const { timestamps } = read
  const time = (epochMs: number | undefined) => (epochMs === undefined ? null : isoTime(epochMs))
  return {
    topic: request.topic,
    created,
    file: request.file,
    imported: true,
    rows: collected.records,
    withoutKey: collected.withoutKey,
    key: request.key,
    timestamps: {
      from: timestamps.from === 'column' ? timestamps.column : timestamps.from,
      first: time(collected.firstTimestamp),
      last: time(collected.lastTimestamp),
    },
    columns: read.columns.map(({ name, given, inferred }) => ({ name, type: given ?? inferred ?? null })),
    partitions: ends.map((end, partition) => ({ partition, rows: collected.recordsByPartition[partition] ?? 0, end })),
    durationMs: Math.round(durationMs),
    rowsPerSecond: Math.round(collected.records / Math.max(durationMs / 1000, 0.001)),
    notices: noticesOf(request, imported),
  }
}

/** The report of an import that left the topic alone. */
export function leftAlone(request: ImportRequest, ends: readonly number[], notice: string): ImportReport {
  return {
    topic: request.topic,
    created: false,
    file: request.file,
    imported: false,
    rows: 0,
    withoutKey: 0,
    key: request.key,
    timestamps: { from: 'none', first: null, last: null },
    columns: [],
    partitions: ends.map((end, partition) => ({ partition, rows: 0, end })),
    durationMs: 0,
    rowsPerSecond: 0,
    notices: [notice],
  }
}

function noticesOf(request: ImportRequest, { read, collected }: Imported): readonly string[] {
  const notices: string[] = []
  if (read.timestamps.from === 'clock') {
    notices.push('Every record has the time of this import as its timestamp; --timestamp COLUMN|TIME says another.')
  }
  if (collected.withoutKey > 0 && request.key.length > 0) {
    notices.push(`${collected.withoutKey} records have no key: their ${request.key.join(', ')} is empty.`)
  }
  if (read.timestamps.from === 'column' && isInSeconds(collected)) {
    notices.push(`The numbers in ${read.timestamps.column} were read as milliseconds; they look like seconds.`)
  }
  return notices
}

/** Counted in seconds, the years from 2001 to 2286 are what early 1970 is in milliseconds. */
function isInSeconds({ firstTimestamp, lastTimestamp }: RecordCollector): boolean {
  if (firstTimestamp === undefined || lastTimestamp === undefined) return false
  return firstTimestamp >= 1e9 && lastTimestamp < 1e10
}
