import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { databaseBytes } from '../../../src/adapters/sqlite/database.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { Child } from '../../contract/locks/child.ts'
import { COUNTS, slice, valueAt } from '../../contract/state-file/samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('keeps what a process had committed, and nothing else, when it is killed', async () => {
  const root = temporaryFolder()
  const directory = new SqliteStateDirectory(root, { busyTimeoutMs: 0 })
  for (const committed of [1, 2]) {
    const child = await Child.start(import.meta.url, './hold-transaction.ts', [root])
    await child.kill()
    const file = directory.open('orders', 'g1', { create: false })
    expect(file?.checkpoint()?.token.seq).toBe(committed)
    expect(file && valueAt(file.table(COUNTS), 'a')).toBe('committed')
    file?.commit(slice(committed + 1))
    file?.close()
  }
})

it('removes what a killed process has left, so that a new file starts empty', async () => {
  const root = temporaryFolder()
  const directory = new SqliteStateDirectory(root)
  const child = await Child.start(import.meta.url, './hold-transaction.ts', [root])
  await child.kill()
  expect(databaseBytes(directory.pathOf('orders', 'g1')).wal).toBeGreaterThan(0)
  directory.remove('orders', 'g1')
  expect(readdirSync(join(root, 'orders'))).toEqual([])
  const file = directory.open('orders', 'g1', { create: true })
  expect(file.checkpoint()).toBeUndefined()
  file.close()
})
