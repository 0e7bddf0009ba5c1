import { describe, expect, it } from 'vitest'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, shown, slice } from '../contract/state-file/samples.ts'

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
