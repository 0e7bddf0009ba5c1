import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { COUNTS, row, slice, valueAt } from '../../contract/state-file/samples.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('reads one state in a turn of the event loop, and pins it no longer', async () => {
  const directory = new SqliteStateDirectory(temporaryFolder(), { busyTimeoutMs: 0 })
  const open = () => directory.open('orders', 'g1', { create: true })
  const writer = open()
  const table = writer.table(COUNTS)
  const write = (value: string, seq: number): void => {
    writer.begin()
    table.put(row('a', value))
    writer.commit(slice(seq))
  }
  write('1', 1)
  const other = open()
  const onlooker = directory.open('orders', 'g1', { create: false, readonly: true })
  const seen = () => [other, onlooker].map((file) => file && valueAt(file.table(COUNTS), 'a'))
  expect(seen()).toEqual(['1', '1'])
  write('2', 2)
  expect(seen()).toEqual(['1', '2'])
  expect(writer.truncateWal()).toBeGreaterThan(0)
  await setImmediate()
  expect(seen()).toEqual(['2', '2'])
  await setImmediate()
  expect(writer.truncateWal()).toBe(0)
  for (const file of [writer, other, onlooker]) file?.close()
})
