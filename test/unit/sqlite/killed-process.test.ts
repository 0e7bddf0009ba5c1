import { expect, it } from 'vitest'
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
