import { describe, expect, it } from 'vitest'
import { textOfByteString, utf8ByteString } from '../../src/core/bytes.ts'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'

/** In the order of their UTF-8 bytes; JavaScript's strings put the emoji, a surrogate pair, before U+FF61. */
const IN_ORDER = ['e', 'e\u0301', 'z', '\u00e9', '\uff61', '\u{1f600}']

describe.each(BACKENDS)('F7: text is its bytes in the state (%s)', (_, make) => {
  it('in its order, and nothing is normalised', () => {
    const { directory, dispose } = make()
    const file = directory.open('orders', 'g1', { create: true })
    const table = file.table(COUNTS)
    file.begin()
    for (const text of IN_ORDER.toReversed()) table.put(row(utf8ByteString(text), text))
    file.commit(slice(1))
    expect(Array.from(table.scan({}), ({ key }) => textOfByteString(key))).toEqual(IN_ORDER)
    const from = Array.from(table.scan({ fromKey: utf8ByteString('\uff61') }), ({ key }) => textOfByteString(key))
    expect(from).toEqual(['\uff61', '\u{1f600}'])
    for (const text of IN_ORDER) expect(valueAt(table, utf8ByteString(text))).toBe(text)
    file.close()
    dispose()
  })
})
