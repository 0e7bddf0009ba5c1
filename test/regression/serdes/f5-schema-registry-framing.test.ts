import { json } from 'tidemark'
import { describe, expect, it } from 'vitest'

describe('F5: schema-registry framing', () => {
  const read = (bytes: Buffer) => json<unknown>().decode(bytes, 0, bytes.length)
  const body = Buffer.from('{"n":1}')

  it('is bad data with a hint at the registry', () => {
    expect(() => read(Buffer.concat([Buffer.from('0000000007', 'hex'), body]))).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('schema registry') }),
    )
  })

  it('is not seen where there is none', () => {
    expect(read(Buffer.from('{"n":2}'))).toEqual({ n: 2 })
    expect(() => read(Buffer.from('48656c6c6f', 'hex'))).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.not.stringContaining('schema registry') }),
    )
  })
})
