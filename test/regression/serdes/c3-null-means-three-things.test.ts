import { json } from 'tidemark'
import { describe, expect, it } from 'vitest'

describe('C3: a null value means three things', () => {
  const read = (text: string, serde = json<unknown>()) => serde.decode(Buffer.from(text), 0, text.length)

  it.each(['null', ''])('the bytes "%s" are bad data with a hint, and no delete', (text) => {
    expect(() => read(text)).toThrowError(
      expect.objectContaining({
        code: 'BAD_DATA',
        hint: expect.stringContaining('A delete is a record without a value'),
      }),
    )
  })

  it('the text null is null where the topic says so; no bytes are bad data all the same', () => {
    expect(read('null', json({ allowNull: true }))).toBe(null)
    expect(() => read('', json({ allowNull: true }))).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
  })

  it.each([[undefined], [() => 1]])('%o is no value to write', (value) => {
    expect(() => json<unknown>().encode(value)).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('Return a value') }),
    )
  })
})
