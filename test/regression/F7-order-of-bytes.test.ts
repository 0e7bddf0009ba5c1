import { job, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { textOfByteString, utf8ByteString } from '../../src/core/bytes.ts'
import { encodeKey } from '../../src/serde/serde.ts'
import { BACKENDS } from '../contract/state-file/backends.ts'
import { COUNTS, row, slice, valueAt } from '../contract/state-file/samples.ts'
import { Field } from './support/field.ts'
import { withFetches } from './support/odd-log.ts'

/** In the order of their UTF-8 bytes; JavaScript's strings put the emoji, a surrogate pair, before U+FF61. */
const IN_ORDER = ['e', 'e\u0301', 'z', '\u00e9', '\uff61', '\u{1f600}']

describe('F7: text that looks equal in serdes', () => {
  it('stays two keys where its bytes differ', () => {
    const [composed, decomposed] = ['\u00e9', 'e\u0301'].map((key) => encodeKey(string(), key))
    expect(composed).toBe(Buffer.from('c3a9', 'hex').latin1Slice())
    expect(decomposed).toBe(Buffer.from('65cc81', 'hex').latin1Slice())
  })

  it('is ordered by bytes, not by UTF-16 units', () => {
    const halfwidth = '\uff61'
    const emoji = '\u{1f600}'
    expect(halfwidth > emoji).toBe(true)
    expect(encodeKey(string(), halfwidth) < encodeKey(string(), emoji)).toBe(true)
  })

  it('is whole wherever a buffer was cut', () => {
    const bytes = Buffer.from('xx\u{1f600}yy')
    expect(string().decode(bytes, 2, 6)).toBe('\u{1f600}')
    for (const [start, end] of [
      [2, 5],
      [3, 6],
    ] as const) {
      expect(() => string().decode(bytes, start, end)).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
    }
  })
})

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

describe.each(['memory', 'embedded'])('F7 in runs (%s)', (world) => {
  const texts = topic('in', { key: string(), value: string() })
  const counts = topic('counts', { key: string(), value: string() })
  const counting = job('counting', {}, ({ stream }) => {
    const records = stream(texts)
    records.mapValues((text) => text.toUpperCase()).to(counts)
    records.groupByKey().count('counts')
  })

  it('keys are as many as their bytes, in the order of their bytes, and values are whole', async () => {
    const field = new Field(world)
    await field.topic('in')
    const value = `x${'\u{1f600}é'.repeat(5000)}`
    for (const codec of ['none', 'gzip'] as const) {
      for (const key of ['\u00e9', 'e\u0301', '\u{1f600}', '\uff61']) await field.batch('in', codec, `${key}→${value}`)
    }
    await field.run(
      counting,
      {},
      withFetches(1, async () => {}),
    )
    expect(field.store(counting, 'counts')).toEqual(['e\u0301=2', '\u00e9=2', '\uff61=2', '\u{1f600}=2'])
    for (const record of await field.out('counts')) expect(record).toContain(`→${value.toUpperCase()} `)
    expect(field.checkpoint(counting)).toEqual({ 'in/0': 8 })
  })
})
