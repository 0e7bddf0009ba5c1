import { describe, expect, it } from 'vitest'
import { fromByteString, toByteString } from '../../src/core/bytes.ts'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'

const KEYS = ['80', 'ff', '0000000000000084', '']

describe.each(BACKENDS)('F2: keys are bytes in the state (%s)', (_, make) => {
  it('and none is another one', () => {
    const { directory, dispose } = make()
    const file = directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    for (const hex of KEYS) {
      const key = toByteString(Buffer.from(hex, 'hex'))
      table.put(row(key, String(Number(valueAt(table, key) ?? 0) + 1)))
    }
    file.commit(slice(1))
    const keys = Array.from(table.scan({}), ({ key }) => fromByteString(key).toString('hex'))
    expect(keys).toEqual(['', '0000000000000084', '80', 'ff'])
    expect(keys.map((hex) => valueAt(table, toByteString(Buffer.from(hex, 'hex'))))).toEqual(['1', '1', '1', '1'])
    file.close()
    dispose()
  })
})
