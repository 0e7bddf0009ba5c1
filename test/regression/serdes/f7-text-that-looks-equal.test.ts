import { string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { encodeKey } from '../../../src/serde/serde.ts'

describe('F7: text that looks equal', () => {
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
