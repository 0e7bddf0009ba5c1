import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDatabase } from '../../../src/adapters/sqlite/database.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { STATE_FILE } from '../../../src/adapters/sqlite/state/state-schema.ts'
import { bytes, row, slice } from '../../contract/state-file/samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('lies so that a person finds a store by its name, and reads it with sqlite3', () => {
  const root = temporaryFolder()
  const file = new SqliteStateDirectory(root).open('flights', 'g1', { create: true })
  const table = file.table({ name: 'hourly-delay', shape: 'window', format: 'json' })
  file.table({ name: 'sessions', shape: 'key-time', format: 'json' })
  file.begin()
  table.put({ ...row('UA', ''), time: 3_600_000, value: bytes('{"mean":1.5}') })
  file.commit(slice(1))
  file.close()

  const db = openDatabase(join(root, 'flights', 'g1.db'), STATE_FILE, { mode: 'read' })
  const all = (sql: string) => db?.prepare(sql).all()
  expect(all('SELECT CAST(key AS TEXT) AS key, time, CAST(value AS TEXT) AS value FROM "hourly-delay"')).toEqual([
    { key: 'UA', time: 3_600_000, value: '{"mean":1.5}' },
  ])
  expect(
    all(
      "SELECT checkpoint ->> 'seq' AS seq FROM (SELECT CAST(checkpoint AS TEXT) AS checkpoint FROM tidemark_checkpoint)",
    ),
  ).toEqual([{ seq: 1 }])
  expect(
    all(
      "SELECT name, wr, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    ),
  ).toEqual([
    { name: 'hourly-delay', wr: 1, strict: 1 },
    { name: 'sessions', wr: 1, strict: 1 },
    ...['checkpoint', 'events', 'outbox', 'outbox_batches', 'runs', 'stores'].map((name) => ({
      name: `tidemark_${name}`,
      wr: 0,
      strict: 1,
    })),
  ])
  expect(all("SELECT detail ->> 'trigger' AS t FROM tidemark_runs")).toEqual([{ t: 'manual' }])
  db?.close()
})
