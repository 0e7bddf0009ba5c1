import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BACKENDS, type Backend } from './backends.ts'
import { COUNTS, row, slice, valueAt } from './samples.ts'

describe.each(BACKENDS)('a state directory (%s)', (_, make) => {
  let backend: Backend
  beforeEach(() => {
    backend = make()
  })
  afterEach(() => backend.dispose())

  it('has nothing, and makes nothing by being looked at', () => {
    const { directory } = backend
    expect(directory.jobs()).toEqual([])
    expect(directory.generations('orders')).toEqual([])
    expect(directory.open('orders', 'g1', { create: false })).toBeUndefined()
    expect(directory.open('orders', 'g1', { create: true, readonly: true })).toBeUndefined()
    expect(directory.open('orders', 'g1', { create: false, readonly: true })).toBeUndefined()
    expect(directory.jobs()).toEqual([])
    expect(directory.generations('orders')).toEqual([])
  })

  it('makes a file when asked, with nothing in it, and opens it again', () => {
    const { directory } = backend
    const file = directory.open('orders', 'g1', { create: true })
    expect(file.checkpoint()).toBeUndefined()
    expect(file.outbox()).toBeUndefined()
    expect(file.stores()).toEqual([])
    expect(file.runs()).toEqual([])
    expect(file.events()).toEqual([])
    file.commit(slice(1))
    file.close()
    file.close()
    for (const create of [true, false]) {
      const again = directory.open('orders', 'g1', { create })
      expect(again?.checkpoint()?.token.id).toBe('token-1')
      again?.close()
    }
  })

  it('lists jobs and generations, sorted, without job.db', () => {
    const { directory } = backend
    for (const name of ['zebra', 'ant']) directory.jobFile(name).close()
    for (const name of ['g2', 'g10', '2013-01_x.y']) directory.open('orders', name, { create: true }).close()
    expect(directory.jobs()).toEqual(['ant', 'orders', 'zebra'])
    expect(directory.generations('orders')).toEqual(['2013-01_x.y', 'g10', 'g2'])
    expect(directory.generations('ant')).toEqual([])
  })

  it.each(['', '.', '..', '.hidden', '-x', 'a/b', 'a\\b', 'a b', 'é', 'x'.repeat(201)])(
    'refuses %j as a name',
    (name) => {
      const { directory } = backend
      expect(() => directory.open(name, 'g1', { create: true })).toThrow(expect.objectContaining({ code: 'USAGE' }))
      expect(() => directory.open('orders', name, { create: true })).toThrow(expect.objectContaining({ code: 'USAGE' }))
      expect(() => directory.jobFile(name)).toThrow(expect.objectContaining({ code: 'USAGE' }))
      expect(directory.jobs()).toEqual([])
    },
  )

  it('keeps the names of job.db and of the live commit record for them, however they are written', () => {
    for (const name of ['job', 'JOB']) {
      expect(() => backend.directory.open('orders', name, { create: true })).toThrow('cannot be called that')
    }
    for (const name of ['live', 'Live']) {
      expect(() => backend.directory.open('orders', name, { create: true })).toThrow('cannot be called that')
    }
    backend.directory.open('live', 'g1', { create: true }).close()
    backend.directory.remove('live', 'g1')
    backend.directory.open('job', 'g1', { create: true }).close()
    expect(backend.directory.jobs()).toEqual(['job'])
  })

  it('removes a file with all that was in it', () => {
    const { directory } = backend
    const file = directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    table.put(row('a', '1'))
    file.commit(slice(1))
    file.close()
    directory.open('orders', 'g2', { create: true }).close()
    directory.remove('orders', 'g1')
    directory.remove('orders', 'g1')
    expect(directory.generations('orders')).toEqual(['g2'])
    const fresh = directory.open('orders', 'g1', { create: true })
    expect(fresh.checkpoint()).toBeUndefined()
    expect(fresh.stores()).toEqual([])
    fresh.close()
  })

  it('opens a file to read, which then cannot be written', () => {
    const file = backend.directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    table.put(row('a', '1'))
    file.commit(slice(1))
    const reader = backend.directory.open('orders', 'g1', { create: false, readonly: true })
    expect(reader?.checkpoint()?.token.seq).toBe(1)
    expect(reader && valueAt(reader.table(COUNTS), 'a')).toBe('1')
    expect(() => reader?.begin()).toThrow(expect.objectContaining({ code: 'IO_FAILED' }))
    expect(() => reader?.table({ ...COUNTS, name: 'other' })).toThrow(
      expect.objectContaining({ code: 'STATE_MISSING', hint: 'There are: counts.' }),
    )
    reader?.close()
    file.close()
  })

  it('tells free room as a number, or not at all', () => {
    const bytes = backend.directory.freeBytes()
    expect(bytes === undefined || bytes > 0).toBe(true)
  })

  it('names a place for every generation', () => {
    const { directory } = backend
    const paths = [directory.pathOf('a', 'b'), directory.pathOf('a', 'c'), directory.pathOf('b', 'b')]
    expect(new Set(paths).size).toBe(3)
    expect(paths[0]).toContain('a')
  })
})

describe.each(BACKENDS)('the job file (%s)', (_, make) => {
  const backend = make()
  afterEach(() => backend.dispose())

  it('keeps its instance and the generations in their order', () => {
    const file = backend.directory.jobFile('orders')
    const instance = file.instance()
    expect(instance).not.toBe('')
    const first = {
      name: 'g1',
      role: 'live',
      jobPath: 'jobs/a.ts',
      bounds: null,
      published: true,
      createdAt: 5,
      lastToken: null,
    } as const
    const second = {
      ...first,
      name: 'a',
      role: 'range',
      bounds: '-6h..latest',
      published: false,
      lastToken: { seq: 1, id: 'x', parent: null },
    } as const
    file.putGeneration(first)
    file.putGeneration(second)
    file.putGeneration({ ...first, createdAt: 6, lastToken: { seq: 2, id: 'y', parent: 'x' } })
    file.close()
    file.close()
    const again = backend.directory.jobFile('orders')
    expect(again.instance()).toBe(instance)
    expect(again.generations()).toEqual([
      { ...first, createdAt: 6, lastToken: { seq: 2, id: 'y', parent: 'x' } },
      second,
    ])
    again.removeGeneration('g1')
    again.removeGeneration('nobody')
    expect(again.generations()).toEqual([second])
    expect(backend.directory.jobFile('other').instance()).not.toBe(instance)
    again.close()
  })

  it('keeps absolute paths of job files, wherever they are', () => {
    const file = backend.directory.jobFile('paths')
    const row = { bounds: null, published: false, createdAt: 5, lastToken: null } as const
    const beside = resolve('/some/where/else.ts')
    const within = join(dirname(resolve(backend.directory.pathOf('orders', 'g1'))), 'jobs', 'b.ts')
    file.putGeneration({ ...row, name: 'g1', role: 'retired', jobPath: beside })
    file.putGeneration({ ...row, name: 'g2', role: 'reprocessed', jobPath: within })
    expect(file.generations().map(({ jobPath }) => jobPath)).toEqual([beside, within])
    file.close()
  })
})
