import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { SqliteStateDirectory } from '../../src/adapters/sqlite/state/state-directory.ts'
import { Child } from '../contract/locks/child.ts'
import { COUNTS, row, slice } from '../contract/state-file/samples.ts'
import { temporaryFolder } from '../unit/sqlite/temporary-folder.ts'
import { Binary, jobFile } from './support/binary.ts'
import waiting from './support/waiting-job.ts'

const DAMAGED = expect.objectContaining({ code: 'STATE_DAMAGED', exit: 76, hint: expect.any(String) })
const WAYS = [{ create: true }, { create: false }, { create: false, readonly: true }]

describe('D7: missing or damaged state is not a first run', () => {
  let root: string
  let directory: SqliteStateDirectory
  let path: string
  beforeEach(() => {
    root = temporaryFolder()
    directory = new SqliteStateDirectory(root)
    path = directory.pathOf('orders', 'g1')
    const file = directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    for (let index = 0; index < 2000; index++) table.put(row(`key-${index}`, 'x'.repeat(50)))
    file.commit(slice(1))
    file.close()
  })
  const expectRefused = (): void => {
    const before = readFileSync(path)
    for (const way of WAYS) expect(() => directory.open('orders', 'g1', way)).toThrow(DAMAGED)
    expect(readFileSync(path).equals(before)).toBe(true)
  }

  it('(a) tells a file that is gone from one that is new: nothing is made unless asked', () => {
    rmSync(path)
    expect(directory.open('orders', 'g1', { create: false })).toBeUndefined()
    expect(directory.open('orders', 'g1', { create: false, readonly: true })).toBeUndefined()
    expect(directory.generations('orders')).toEqual([])
    directory.open('orders', 'g1', { create: true }).close()
    expect(directory.generations('orders')).toEqual(['g1'])
  })

  it.each([0, 1, 99, 100, 512, 4096, 5000])('(b) refuses a file that was cut to %i bytes', (length) => {
    truncateSync(path, length)
    expectRefused()
  })

  it('(b) refuses a file that was cut in half', () => {
    truncateSync(path, readFileSync(path).length / 2)
    expectRefused()
  })

  it('(b) refuses a file that was cut in half beside a WAL', async () => {
    const child = await Child.start(import.meta.url, '../unit/sqlite/hold-transaction.ts', [root])
    await child.kill()
    truncateSync(path, readFileSync(path).length / 2)
    expectRefused()
  })

  it('(b) refuses a file whose first bytes were overwritten', () => {
    const contents = readFileSync(path)
    writeFileSync(path, contents.fill(0, 0, 200))
    expectRefused()
  })

  it('(b) names damage that is met later, and commits nothing', () => {
    const contents = readFileSync(path)
    writeFileSync(path, contents.fill(0xa5, contents.length / 2))
    const before = readFileSync(path)
    const file = directory.open('orders', 'g1', { create: true })
    file.begin()
    expect(() => [...file.table(COUNTS).scan({})]).toThrow(DAMAGED)
    expect(() => file.commit(slice(2))).toThrow(DAMAGED)
    file.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  // A file that nobody may read stops root from nothing: there a folder in its place stands for it.
  it.skipIf(process.getuid?.() === 0)('(c) refuses a file that may not be read', () => {
    chmodSync(path, 0o000)
    for (const way of WAYS) expect(() => directory.open('orders', 'g1', way)).toThrow(DAMAGED)
    chmodSync(path, 0o600)
    directory.open('orders', 'g1', { create: false })?.close()
  })

  it('(c) refuses a folder in place of the file', () => {
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'x'), '')
    for (const way of WAYS) expect(() => directory.open('orders', 'g1', way)).toThrow(DAMAGED)
  })

  it('refuses a damaged job.db too', () => {
    writeFileSync(join(root, 'orders', 'job.db'), 'x'.repeat(5000))
    expect(() => directory.jobFile('orders')).toThrow(DAMAGED)
  })

  it('can be removed when asked, and only then', () => {
    truncateSync(path, 5000)
    expectRefused()
    directory.remove('orders', 'g1')
    expect(directory.generations('orders')).toEqual([])
  })

  it('does not restore a damaged backup', async () => {
    const backup = join(root, 'backup.db')
    const file = directory.open('orders', 'g1', { create: true })
    await file.backup(backup)
    file.close()
    const contents = readFileSync(backup)
    writeFileSync(backup, contents.fill(0xa5, contents.length / 2))
    await expect(directory.restore('orders', 'g2', backup)).rejects.toEqual(DAMAGED)
    expect(directory.generations('orders')).toEqual(['g1'])
  })
})

describe('D7 with the real binary', () => {
  const RUN = ['run', jobFile('waiting-job')]
  const records = (from: number) => Array.from({ length: 1000 }, (_, index) => `p0 k${from + index}`)
  /** Takes from a process of root the right to read everything. */
  const MORTAL = process.getuid?.() === 0 ? { NODE_OPTIONS: '--import=data:text/javascript,process.setuid(65534)' } : {}

  async function ran(): Promise<Binary> {
    const binary = new Binary()
    const { field } = binary
    await field.topic('in')
    await field.batch('in', 'none', ...records(0))
    expect((await binary.run(RUN)).status).toBe(0)
    expect(field.checkpoint(waiting)).toEqual({ 'in/0': 1000 })
    await field.batch('in', 'none', ...records(1000))
    return binary
  }

  async function refuses(binary: Binary, code: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
    expect(await binary.run(RUN, env)).toMatchObject({ status: 76, stderr: expect.stringContaining(code) })
    expect(await binary.field.out('out')).toHaveLength(1000)
  }

  it('(a) an empty directory in place of the state is no first run, unless told so', async () => {
    const binary = await ran()
    renameSync(join(binary.path, 'state'), join(binary.path, 'volume'))
    await refuses(binary, 'STATE_MISSING')
    await refuses(binary, 'STATE_MISSING')
    expect((await binary.run([...RUN, '--init'])).status).toBe(0)
    expect(binary.field.checkpoint(waiting)).toEqual({ 'in/0': 2000 })
    expect(await binary.field.out('out')).toHaveLength(3000)
  })

  it('(a) nor is a state file that is gone from its directory', async () => {
    const binary = await ran()
    rmSync(binary.stateFile(waiting))
    await refuses(binary, 'STATE_MISSING')
  })

  it('(b) half a file is left as it is', async () => {
    const binary = await ran()
    const path = binary.stateFile(waiting)
    truncateSync(path, readFileSync(path).length / 2)
    const before = readFileSync(path)
    await refuses(binary, 'STATE_DAMAGED')
    expect(readFileSync(path).equals(before)).toBe(true)
    await refuses(binary, 'STATE_DAMAGED')
  })

  it('(c) so is one that may not be read, and it is as it was when it may be again', async () => {
    const binary = await ran()
    const path = binary.stateFile(waiting)
    for (const open of [binary.path, join(binary.path, 'state'), join(binary.path, 'state', 'waiting')]) {
      chmodSync(open, 0o777)
    }
    for (const open of ['log.db', 'state/waiting/job.db', 'state/waiting/g1.lock'])
      chmodSync(join(binary.path, open), 0o666)
    chmodSync(path, 0o000)
    const before = readFileSync(path)
    await refuses(binary, 'STATE_DAMAGED', MORTAL)
    expect(readFileSync(path).equals(before)).toBe(true)
    chmodSync(path, 0o600)
    expect((await binary.run(RUN)).status).toBe(0)
    expect(await binary.field.out('out')).toHaveLength(2000)
  })
})
