import { bytes, int64, string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { fromByteString } from '../../../src/core/bytes.ts'
import { decodeKey, encodeKey } from '../../../src/serde/serde.ts'

describe('F2: binary keys', () => {
  const keys = ['80', 'ff', '0000000000000084', '']

  it('stay the bytes they are', () => {
    const read = keys.map((hex) => decodeKey(bytes(), Buffer.from(hex, 'hex').latin1Slice()))
    const written = read.map((key) => encodeKey(bytes(), key))
    expect(written.map((key) => fromByteString(key).toString('hex'))).toEqual(keys)
    expect(new Set(written).size).toBe(4)
  })

  it('are refused as text where they are none, and never replaced', () => {
    for (const hex of ['80', 'ff', '0000000000000084']) {
      const key = Buffer.from(hex, 'hex').latin1Slice()
      expect(() => decodeKey(string(), key), hex).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
    }
    expect(decodeKey(string(), '')).toBe('')
  })

  it('are integers where they are meant so', () => {
    const key = Buffer.from('0000000000000084', 'hex').latin1Slice()
    expect(decodeKey(int64(), key)).toBe(132n)
    expect(encodeKey(int64(), 132n)).toBe(key)
  })
})
