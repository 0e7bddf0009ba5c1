import { type JobOptions, job, json, string, topic } from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, shown, slice } from '../contract/state-file/samples.ts'
import { Field } from './support/field.ts'

describe.each(BACKENDS)('C2: a key is deleted and put in one flush (%s)', (_, make) => {
  it('and the last write wins, during the slice as after it', () => {
    const { directory, dispose } = make()
    const file = directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    table.put(row('a', '1'))
    table.delete('a', 0, 0)
    table.put(row('a', '2'))
    table.put(row('b', '1'))
    table.delete('b', 0, 0)
    expect(shown(table.scan({}))).toEqual(['a@0.0=2'])
    file.commit(slice(1))
    expect(shown(table.scan({}))).toEqual(['a@0.0=2'])
    file.close()
    dispose()
  })
})

describe('C2 in runs', () => {
  const rows = topic('in', { key: string(), value: json<number>() })
  const copies = topic('copies', { key: string(), value: json<number>() })
  const copying = (options: JobOptions) =>
    job('copying', options, ({ table }) => {
      table(rows, 'rows').to(copies)
    })

  // A cache of one entry spills into the open transaction; slices of one record commit each write.
  it.each([
    { world: 'memory', options: {}, sink: ['a→2 @0', 'b→∅ @0'] },
    { world: 'embedded', options: {}, sink: ['a→2 @0', 'b→∅ @0'] },
    { world: 'embedded', options: { cacheEntries: 1 }, sink: ['a→2 @0', 'b→∅ @0'] },
    {
      world: 'embedded',
      options: { sliceRecords: 1 },
      sink: ['a→1 @0', 'a→∅ @0', 'a→2 @0', 'b→1 @0', 'b→∅ @0'],
    },
  ])(
    'the last write of a key wins, in the state and in the sink: $world $options',
    async ({ world, options, sink }) => {
      const field = new Field(world)
      const job = copying(options)
      await field.topic('in')
      await field.write('in', 'p0/0 a→1', 'p0/1 a→∅', 'p0/2 a→2', 'p0/3 b→1', 'p0/4 b→∅')
      await field.run(job)
      expect(field.store(job, 'rows')).toEqual(['a=2'])
      expect(await field.out('copies')).toEqual(sink)
      expect(field.checkpoint(job)).toEqual({ 'in/0': 5 })
      expect((await field.run(job)).records).toBe(0)
    },
  )

  it('a scan during the run sees what it sees after the commit', async () => {
    const driver = await TestDriver.create(copying({ cacheEntries: 2 }))
    const record = (key: string, value: number | null) => ({ key, value, timestamp: 0 })
    await driver.pipe(rows, [record('a', 1), record('a', null), record('a', 2), record('b', 1), record('b', null)])
    const during = await driver.store('rows')
    expect(during.map(({ key, value }) => [key, value])).toEqual([['a', 2]])
    await driver.endRange()
    expect(await driver.store('rows')).toEqual(during)
  })
})
