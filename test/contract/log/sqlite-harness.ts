import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { type LogHarness, unable } from './harness.ts'
import { emptyBatch } from './records.ts'

export const sqliteHarness: LogHarness = {
  lacks: ['transactions', 'truncate'],
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-log-'))
    const open = () => SqliteLog.open(join(folder, 'log.db'))
    const first = open()
    await first.admin().create({ name: 'another', partitions: 1 })
    return {
      open: async () => open(),
      name: (topic) => topic,
      skip: (at, offsets) => first.admin().append([emptyBatch(at, offsets)]),
      truncate: unable('truncate'),
      transaction: unable('transactions'),
      async dispose() {
        await first.close()
        rmSync(folder, { recursive: true })
      },
    }
  },
}
