import { job, json, string, sum, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import type { StoreTable } from '../../src/ports/store-table.ts'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'
import { Field } from './support/field.ts'

/** Sum by customer, as a table of orders would do it: the order's old row says what to subtract, and from whom. */
function order(orders: StoreTable, sums: StoreTable, key: string, customer: string, amount: number): void {
  const old = valueAt(orders, key)?.split(':')
  const add = (name: string, by: number): void => sums.put(row(name, String(Number(valueAt(sums, name) ?? 0) + by)))
  if (old !== undefined) add(old[0] ?? '', -Number(old[1]))
  add(customer, amount)
  orders.put(row(key, `${customer}:${amount}`))
}

describe.each(BACKENDS)('D2: a failed slice leaves no trace in the state (%s)', (_, make) => {
  it('so that on retry the old value is still the old one', () => {
    const { directory, dispose } = make()
    const file = directory.open('orders', 'g1', { create: true })
    const orders = file.table({ ...COUNTS, name: 'orders' })
    const sums = file.table({ ...COUNTS, name: 'sums' })
    const seen = () => ['A', 'B'].map((name) => valueAt(sums, name))
    file.begin()
    order(orders, sums, 'o1', 'A', 5)
    file.commit(slice(1))

    file.begin()
    order(orders, sums, 'o1', 'B', 7)
    file.rollback() // the second record threw
    expect(seen()).toEqual(['5', undefined])
    expect(file.checkpoint()?.token.seq).toBe(1)

    file.begin()
    order(orders, sums, 'o1', 'B', 7)
    order(orders, sums, 'o2', 'B', 1)
    file.commit(slice(2))
    expect(seen()).toEqual(['0', '8'])
    file.close()
    dispose()
  })
})

describe.each(['memory', 'embedded'])('D2 in runs (%s)', (world) => {
  const orders = topic('orders', { key: string(), value: json<readonly [customer: string, amount: number]>() })
  const sums = topic('sums', { key: string(), value: json<number>() })
  // With a cache of one entry, writes of the slice are in the file's open transaction when it fails.
  const summing = (broken: boolean, sliceRecords = 100) =>
    job('summing', { sliceRecords, cacheEntries: 1 }, ({ table }) => {
      table(orders, 'orders')
        .groupBy(([customer, amount], order) => {
          if (broken && order === 'o2') throw new Error('not yet')
          return [customer, amount]
        }, string())
        .aggregate(
          'sums',
          sum((amount) => amount),
        )
        .toStream()
        .to(sums)
    })

  it.each([
    { slices: 'in one slice', sliceRecords: 100, between: ['A=5'], offset: 1 },
    { slices: 'in a slice each', sliceRecords: 1, between: ['A=0', 'B=7'], offset: 2 },
  ])('what failed is done again on the old values, $slices', async ({ sliceRecords, between, offset }) => {
    const field = new Field(world)
    await field.topic('orders')
    await field.write('orders', 'p0/0 o1→["A",5]')
    await field.run(summing(true, sliceRecords))
    await field.write('orders', 'p0/1 o1→["B",7]', 'p0/2 o2→["B",1]')
    const error = await field.fail(summing(true, sliceRecords))
    expect(error).toMatchObject({
      code: 'USER_CODE_FAILED',
      exit: 70,
      at: { topic: 'orders', partition: 0, offset: 2 },
    })
    expect(field.store(summing(true), 'sums')).toEqual(between)
    expect(field.checkpoint(summing(true))).toEqual({ 'orders/0': offset })

    await field.run(summing(false, sliceRecords))
    expect(field.store(summing(false), 'sums')).toEqual(['A=0', 'B=8'])
    expect(await field.out('sums')).toEqual(['A→5 @0', 'A→0 @0', 'B→7 @0', 'B→8 @0'])
    expect(field.checkpoint(summing(false))).toEqual({ 'orders/0': 3 })
    expect((await field.run(summing(false))).records).toBe(0)
  })
})
