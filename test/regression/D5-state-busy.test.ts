import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteStateDirectory } from '../../src/adapters/sqlite/state/state-directory.ts'
import type { StateFile } from '../../src/ports/state-file.ts'
import { Child } from '../contract/locks/child.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'
import { temporaryFolder } from '../unit/sqlite/temporary-folder.ts'
import { Binary, jobFile } from './support/binary.ts'
import waiting from './support/waiting-job.ts'

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

describe('D5 with the real binary', () => {
  const RUN = ['run', jobFile('waiting-job')]

  /** A run that has committed `a`, and one that stands at `b` while this process holds `file`. */
  async function held(file: (binary: Binary) => string, busyTimeout: string) {
    const binary = new Binary()
    const { field } = binary
    await field.topic('in')
    await field.write('in', 'p0/0 a→1')
    expect((await binary.run(RUN)).status).toBe(0)
    await field.write('in', 'p0/1 b→1')
    const { ended, step } = binary.start(RUN, { CASE_WAIT_AT: 'b', TIDEMARK_BUSY_TIMEOUT: busyTimeout })
    await binary.appears('working')
    const holder = new Sqlite(file(binary))
    holder.exec('BEGIN IMMEDIATE')
    binary.write('go', '')
    return { binary, field, ended, holder, step }
  }
  const status = async (binary: Binary) => expect((await binary.run(['status'])).status).toBe(0)
  const state = (binary: Binary) => binary.stateFile(waiting)
  const log = (binary: Binary) => join(binary.path, 'log.db')

  it.each([
    { name: 'the state file', file: state, step: 'store-begin' },
    { name: 'the log', file: log, step: 'outside-commit' },
  ])('$name is waited for', async ({ file, step }) => {
    const { field, ended, holder, ...run } = await held(file, '20s')
    await run.step(step)
    holder.close()
    expect((await ended).status).toBe(0)
    expect(field.checkpoint(waiting)).toEqual({ 'in/0': 2 })
    expect(await field.out('out')).toHaveLength(2)
  })

  it('the state file is waited for so long; then all is as before, and status never fails', async () => {
    const { binary, field, ended, holder } = await held(state, '200ms')
    await status(binary)
    expect(await ended).toMatchObject({ status: 75, stderr: expect.stringContaining('STATE_BUSY') })
    await status(binary)
    expect(field.checkpoint(waiting)).toEqual({ 'in/0': 1 })
    expect(field.store(waiting, 'counts')).toEqual(['a=1'])
    expect(await field.out('out')).toHaveLength(1)
    holder.close()
    await status(binary)
    expect((await binary.run(RUN)).status).toBe(0)
    expect(field.store(waiting, 'counts')).toEqual(['a=1', 'b=1'])
    expect(await field.out('out')).toHaveLength(2)
  })

  it('for how long is told as a span of time', async () => {
    const { status, stderr } = await new Binary().run(['status'], { TIDEMARK_BUSY_TIMEOUT: 'soon' })
    expect(status).toBe(64)
    expect(stderr).toContain('TIDEMARK_BUSY_TIMEOUT')
  })

  it('a slice that the log has not got is delivered by the next run, once', async () => {
    const { binary, field, ended, holder } = await held(log, '200ms')
    expect(await ended).toMatchObject({ status: 75, stderr: expect.stringContaining('STATE_BUSY') })
    expect(field.checkpoint(waiting)).toEqual({ 'in/0': 2 })
    expect(await field.out('out')).toHaveLength(1)
    holder.close()
    expect((await binary.run(RUN)).status).toBe(0)
    expect((await binary.run(RUN)).status).toBe(0)
    expect(await field.out('out')).toHaveLength(2)
  })
})
