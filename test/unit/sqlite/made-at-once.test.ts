import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Child } from '../../contract/locks/child.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('makes one file when several processes make it at once', async () => {
  const root = temporaryFolder()
  const start = () => Child.start(import.meta.url, './get-instance.ts', [root])
  const children = await Promise.all([start(), start(), start()])
  const instances = await Promise.all(children.map((child) => child.line()))
  expect(instances[0]).toMatch(/^[0-9a-f-]{36}$/)
  expect(new Set(instances).size).toBe(1)
  for (const child of children) await child.kill()
  expect(readdirSync(join(root, 'orders')).filter((name) => !/^job\.db(-wal|-shm)?$/.test(name))).toEqual([])
})
