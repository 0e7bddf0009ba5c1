import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { readAll } from '../../contract/log/records.ts'
import { TempLog } from './temp-log.ts'

const CHILD = fileURLToPath(new URL('./log-child.ts', import.meta.url))
const KILLS = Number(process.env.TIDEMARK_KILLS ?? 2)

function start(path: string, mode: 'append' | 'commit', limit: number): ChildProcess {
  const args = ['--import', 'jiti/register', CHILD, path, mode, String(limit)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Kills the child while it writes on, once it has told of `successes`; gives the successes it has told of. */
async function killAfter(child: ChildProcess, successes: number): Promise<number> {
  if (child.stdout === null) throw new Error('the child has a pipe')
  let told = 0
  const lines = createInterface({ input: child.stdout })
  lines.on('line', () => {
    if (++told === successes) child.kill('SIGKILL')
  })
  const [, signal] = await once(child, 'close')
  expect(signal).toBe('SIGKILL')
  return told
}

async function keys(log: SqliteLog, partition: number): Promise<(string | null)[]> {
  return (await readAll(log, { topic: 't', partition })).map(({ key }) => key)
}

describe('a process that is killed while it writes', () => {
  it('has appended all of what it told of, and all or nothing of what it did not', async () => {
    using temp = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 2 })
    let before = 0
    for (let kill = 1; kill <= KILLS; kill++) {
      const told = await killAfter(start(temp.path, 'append', 1_000_000), 3 * kill)
      const [left, right] = [await keys(log, 0), await keys(log, 1)]
      expect(left).toEqual(right.flatMap((key) => [key?.replace('c', 'a'), key?.replace('c', 'b')]))
      expect(right.length).toBeGreaterThanOrEqual(before + told)
      expect(temp.raw().pragma('integrity_check', { simple: true })).toBe('ok')
      before = right.length
    }
  })

  it('has committed outputs and record together', async () => {
    using temp = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 2 })
    const outside = await log.outside('job', 'live')
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = (await outside.read())?.token?.seq ?? 0
      const told = await killAfter(start(temp.path, 'commit', 1_000_000), 3 * kill)
      const seq = (await outside.read())?.token?.seq ?? 0
      expect(seq).toBeGreaterThanOrEqual(before + told)
      const expected = Array.from({ length: seq }, (_, i) => String(i + 1))
      expect(await keys(log, 0)).toEqual(expected)
      expect(await keys(log, 1)).toEqual(expected)
      expect((await outside.cuts()).map(({ token }) => String(token?.seq))).toEqual(expected)
    }
  })
})

describe('several processes that write one log', () => {
  it('wait for each other, and a reader sees whole appends alone', async () => {
    using temp = new TempLog()
    const log = temp.open()
    await log.admin().create({ name: 't', partitions: 2 })
    const children = [0, 1].map(() => start(temp.path, 'append', 40))
    for (const { stdout } of children) stdout?.resume()
    const ended = Promise.all(children.map(async (child) => (await once(child, 'close'))[0]))
    let running = true
    void ended.finally(() => {
      running = false
    })
    let seen: (string | null)[] = []
    while (running) {
      const now = await keys(log, 0)
      expect(now.length % 2).toBe(0)
      expect(now.slice(0, seen.length)).toEqual(seen)
      seen = now
      await new Promise(setImmediate)
    }
    expect(await ended).toEqual([0, 0])
    const all = await keys(log, 1)
    expect(all).toHaveLength(80)
    for (const { pid } of children) {
      const own = all.filter((key) => key?.startsWith(`${pid}:`))
      expect(own).toEqual(Array.from({ length: 40 }, (_, i) => `${pid}:${i}c`))
    }
  })
})
