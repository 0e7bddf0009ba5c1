import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'
import { Child } from './child.ts'

describe('a lock between processes', () => {
  let root: string
  let holder: Child
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'tidemark-locks-'))
    holder = await Child.start(import.meta.url, './hold-lock.ts', [root, 'orders', 'run 17 of orders'], ['--expose-gc'])
  })
  afterEach(async () => {
    await holder.kill()
    rmSync(root, { recursive: true })
  })

  it('names who holds it, on which machine, since when and for what', () => {
    const refused = /^orders is locked by process (\d+) on (\S+) since (\S+): run 17 of orders$/
    const locks = new SqliteLocks(root)
    let message = ''
    try {
      locks.acquire('orders', 'me')
    } catch (error) {
      expect(error).toMatchObject({ code: 'LOCKED', exit: 75, retryable: true })
      message = error instanceof Error ? error.message : ''
    }
    const [, pid, host, since = ''] = refused.exec(message) ?? []
    expect(Number(pid)).toBe(holder.pid)
    expect(host).toBe(hostname())
    expect(Number.isNaN(Date.parse(since))).toBe(false)
    locks.acquire('orders/g1', 'me').release()
  })

  it('dies with its process, and leaves nothing to clean up', async () => {
    await holder.kill()
    const lock = new SqliteLocks(root).acquire('orders', 'next')
    expect(() => new SqliteLocks(root).acquire('orders', 'third')).toThrow(`process ${process.pid}`)
    lock.release()
  })
})
