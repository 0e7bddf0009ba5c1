import { json, string, topic } from 'tidemark'

/** What a record of `in` holds. */
export interface Item {
  readonly n: number
  readonly group: string
}

export const INPUT = topic('in', { key: string(), value: json<Item>(), nullKey: true, nullValue: true })
export const TABLE = topic('tab', { key: string(), value: json<number>() })
export const STREAM_OUT = topic('out-stream', { key: string(), value: json<unknown>(), nullKey: true })
export const TABLE_OUT = topic('out-table', { key: string(), value: json<number>() })
export const LATE_OUT = topic('out-late', { key: string(), value: json<Item>() })
