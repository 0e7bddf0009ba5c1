import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteStateDirectory } from '../../src/adapters/sqlite/state/state-directory.ts'
import type { StateFile } from '../../src/ports/state-file.ts'
import { Child } from '../contract/locks/child.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'
import { temporaryFolder } from '../unit/sqlite/temporary-folder.ts'

describe('D5: another process holds the state file', () => {
  let root: string
  let child: Child
  let file: StateFile | undefined
  const open = (busyTimeoutMs: number) =>
    new SqliteStateDirectory(root, { busyTimeoutMs }).open('orders', 'g1', { create: true })
  beforeEach(async () => {
    root = temporaryFolder()
    child = await Child.start(import.meta.url, '../unit/sqlite/hold-transaction.ts', [root])
  })
  afterEach(async () => {
    file?.close()
    await child.kill()
  })

  it('is waited for, also by a slice that has read before', () => {
    file = open(20_000)
    const table = file.table(COUNTS)
    expect(valueAt(table, 'a')).toBe('committed')
    child.say('let go')
    file.begin()
    table.put(row('a', 'mine'))
    file.commit(slice(2))
    expect(valueAt(table, 'a')).toBe('mine')
  })

  it('is waited for so long, then it is “try again”, with nothing changed', async () => {
    file = open(50)
    const table = file.table(COUNTS)
    expect(valueAt(table, 'a')).toBe('committed')
    expect(() => file?.begin()).toThrow(expect.objectContaining({ code: 'STATE_BUSY', exit: 75, retryable: true }))
    expect(() => file?.commit(slice(2))).toThrow(expect.objectContaining({ code: 'STATE_BUSY' }))
    expect(() => table.put(row('a', 'mine'))).toThrow('needs an open transaction')
    expect(file.checkpoint()?.token.seq).toBe(1)
    expect(valueAt(table, 'a')).toBe('committed')
    await child.kill()
    file.commit(slice(2))
    expect(file.checkpoint()?.token.seq).toBe(2)
  })

  it('hinders no reader', () => {
    const directory = new SqliteStateDirectory(root, { busyTimeoutMs: 0 })
    for (let i = 0; i < 20; i++) {
      expect(directory.generations('orders')).toEqual(['g1'])
      const reader = directory.open('orders', 'g1', { create: false, readonly: true })
      expect(reader?.runs().map(({ runId }) => runId)).toEqual(['run-1'])
      expect(reader && valueAt(reader.table(COUNTS), 'a')).toBe('committed')
      reader?.close()
    }
  })
})
