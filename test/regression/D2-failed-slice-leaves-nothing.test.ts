import { describe, expect, it } from 'vitest'
import type { StoreTable } from '../../src/ports/store-table.ts'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'

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
