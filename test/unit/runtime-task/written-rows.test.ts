import { describe, expect, it } from 'vitest'
import { WrittenRows } from '../../../src/runtime/stores/written-rows.ts'

const START = 1_760_000_000_000

describe('the rows that were written', () => {
  it('knows each of them, and takes few others for one', () => {
    const written = new WrittenRows()
    for (let n = 0; n < 250_000; n++) written.add(`user-${n % 5000}`, START + Math.floor(n / 5000) * 300_000)
    let lost = 0
    let mistaken = 0
    for (let n = 0; n < 250_000; n++) {
      if (!written.mayHave(`user-${n % 5000}`, START + Math.floor(n / 5000) * 300_000)) lost++
      if (written.mayHave(`user-${n % 5000}`, START + (50 + Math.floor(n / 5000)) * 300_000)) mistaken++
    }
    expect(lost).toBe(0)
    expect(mistaken / 250_000).toBeLessThan(0.03)
  })

  it('has none at first', () => {
    expect(new WrittenRows().mayHave('a', 0)).toBe(false)
  })

  it('tells neither a key nor a time from itself alone', () => {
    const written = new WrittenRows()
    written.add('a', 0)
    expect([written.mayHave('a', 0), written.mayHave('a', 2 ** 32), written.mayHave('b', 0)]).toEqual([
      true,
      false,
      false,
    ])
  })
})
