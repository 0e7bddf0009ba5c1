import type { StoreShape } from '../../../ports/store-table.ts'

export type KeyColumn = 'key' | 'time' | 'ordinal'

/** The primary key of each shape. A column that a shape lacks is 0 in all its rows. */
export const PRIMARY_KEY: Readonly<Record<StoreShape, readonly KeyColumn[]>> = {
  'key-value': ['key'],
  window: ['time', 'key'],
  'key-time': ['key', 'time', 'ordinal'],
}

/** How a store lies in its file. */
export interface StoreLayout {
  readonly shape: StoreShape
  /** The name of its table, in quotes. */
  readonly table: string
  /** The name of its index on time, which only `key-time` has. */
  readonly timeIndex: string
}

/** The layout of the store that has the number `number`, in the table called `table`. */
export function layoutOf(shape: StoreShape, table: string, number: number): StoreLayout {
  return { shape, table: `"${table.replaceAll('"', '""')}"`, timeIndex: `tidemark_by_time_${number}` }
}

export function createSql({ shape, table, timeIndex }: StoreLayout): string {
  const columns = PRIMARY_KEY[shape].map((column) => `${column} ${column === 'key' ? 'BLOB' : 'INTEGER'} NOT NULL`)
  const made = `CREATE TABLE ${table} (
    ${columns.join(',\n    ')},
    value BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    task INTEGER NOT NULL CHECK (task >= 0),
    PRIMARY KEY (${PRIMARY_KEY[shape].join(', ')})
  ) STRICT, WITHOUT ROWID;`
  return shape === 'key-time' ? `${made}\nCREATE INDEX ${timeIndex} ON ${table} (time, key, ordinal);` : made
}

export function getSql({ shape, table }: StoreLayout): string {
  return `SELECT value, timestamp, task FROM ${table} WHERE ${equal(shape)}`
}

/** Bytes are given as a blob, or as an ASCII text, for which nothing has to be made. */
const BYTES = 'CAST(? AS BLOB)'

function placesOf(shape: StoreShape): string {
  return PRIMARY_KEY[shape].map(placeOf).join(', ')
}

function placeOf(column: KeyColumn): string {
  return column === 'key' ? BYTES : '?'
}

export function putSql({ shape, table }: StoreLayout): string {
  const key = PRIMARY_KEY[shape].join(', ')
  return `INSERT INTO ${table} (${key}, value, timestamp, task)
    VALUES (${placesOf(shape)}, ${BYTES}, ?, ?)
    ON CONFLICT (${key})
    DO UPDATE SET value = excluded.value, timestamp = excluded.timestamp, task = excluded.task`
}

/** Puts `rows` rows at once; one in whose place there is a row of another task changes nothing. */
export function loadSql({ shape, table }: StoreLayout, rows: number): string {
  const key = PRIMARY_KEY[shape].join(', ')
  const values = `(${placesOf(shape)}, ${BYTES}, ?, ?)`
  return `INSERT INTO ${table} (${key}, value, timestamp, task)
    VALUES ${new Array(rows).fill(values).join(', ')}
    ON CONFLICT (${key})
    DO UPDATE SET value = excluded.value, timestamp = excluded.timestamp, task = excluded.task
    WHERE task = excluded.task`
}

export function deleteSql({ shape, table }: StoreLayout): string {
  return `DELETE FROM ${table} WHERE ${equal(shape)}`
}

export function expireSql({ table }: StoreLayout): string {
  return `DELETE FROM ${table} WHERE time < ? AND task = ?`
}

/**
 * Of one task, or of all. SQLite would rather sort all rows than go backwards through the index until it meets one of the
 * task.
 */
export function latestTimeSql({ shape, table, timeIndex }: StoreLayout, ofTask: boolean): string {
  const where = ofTask ? 'WHERE task = ?' : ''
  if (shape === 'key-value') return `SELECT 0 FROM ${table} ${where} LIMIT 1`
  const from = shape === 'key-time' ? `${table} INDEXED BY ${timeIndex}` : table
  return `SELECT time FROM ${from} ${where} ORDER BY time DESC LIMIT 1`
}

export function sizeSql({ table }: StoreLayout): string {
  return `SELECT count(*) FROM ${table}`
}

function equal(shape: StoreShape): string {
  return PRIMARY_KEY[shape].map((column) => `${column} = ${placeOf(column)}`).join(' AND ')
}
