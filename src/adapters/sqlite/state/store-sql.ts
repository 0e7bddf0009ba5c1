import type { StoreShape } from '../../../ports/store-table.ts'

export type KeyColumn = 'key' | 'time' | 'ordinal'

/** The primary key of each shape. A column that a shape lacks is 0 in all its rows. */
export const PRIMARY_KEY: Readonly<Record<StoreShape, readonly KeyColumn[]>> = {
  'key-value': ['key'],
  window: ['time', 'key'],
  'key-time': ['key', 'time', 'ordinal'],
}

/**
 * What makes a store's table, and its index on time where the shape has one. Here and below `table` is a name in quotes;
 * `number` is the store's own.
 */
export function createSql(shape: StoreShape, table: string, number: number): string {
  const columns = PRIMARY_KEY[shape].map((column) => `${column} ${column === 'key' ? 'BLOB' : 'INTEGER'} NOT NULL`)
  const made = `CREATE TABLE ${table} (
    ${columns.join(',\n    ')},
    value BLOB NOT NULL,
    timestamp INTEGER NOT NULL,
    task INTEGER NOT NULL CHECK (task >= 0),
    PRIMARY KEY (${PRIMARY_KEY[shape].join(', ')})
  ) STRICT, WITHOUT ROWID;`
  if (shape !== 'key-time') return made
  return `${made}\nCREATE INDEX tidemark_by_time_${number} ON ${table} (time, key, ordinal);`
}

export function getSql(shape: StoreShape, table: string): string {
  return `SELECT value, timestamp, task FROM ${table} WHERE ${equal(shape)}`
}

export function putSql(shape: StoreShape, table: string): string {
  const key = PRIMARY_KEY[shape]
  return `INSERT INTO ${table} (${key.join(', ')}, value, timestamp, task)
    VALUES (${key.map(() => '?').join(', ')}, ?, ?, ?)
    ON CONFLICT (${key.join(', ')})
    DO UPDATE SET value = excluded.value, timestamp = excluded.timestamp, task = excluded.task`
}

export function deleteSql(shape: StoreShape, table: string): string {
  return `DELETE FROM ${table} WHERE ${equal(shape)}`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function equal(shape: StoreShape): string {
  return PRIMARY_KEY[shape].map((column) => `${column} = ?`).join(' AND ')
}
