import type { ColumnSettings } from './row-encoder.ts'

export type ImportFormat = 'csv' | 'jsonl'

/** What `log import` was asked to do. */
export interface ImportRequest {
  readonly topic: string
  readonly file: string
  readonly format: ImportFormat
  /** Columns whose text is the key; none for records without key. */
  readonly key: readonly string[]
  /** Stands between the columns of a key that has several. */
  readonly keySeparator: string
  /** A column, or a time for all rows; undefined for the time of the import. */
  readonly timestamp: string | undefined
  /** Of a topic that the import makes; the number that an existing one must have, where it is given. */
  readonly partitions: number | undefined
  readonly delimiter: string
  readonly columns: ColumnSettings
  /** Leave a topic alone that has had records. */
  readonly ifEmpty: boolean
  /** Where a large import waits for its end. */
  readonly spoolFolder: string
}
