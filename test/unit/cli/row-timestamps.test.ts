import { describe, expect, it } from 'vitest'
import { parseTimestamp, timestampSource } from '../../../src/cli/import/row-timestamps.ts'

describe('a timestamp', () => {
  it.each([
    ['2013-01-01T10:00:00Z', 1_357_034_400_000],
    ['2013-01-01T10:00', 1_357_034_400_000],
    ['2013-01-01 11:00:00+01:00', 1_357_034_400_000],
    ['2013-01-01', 1_356_998_400_000],
    ['2013-01-01T10:00:00.1239999Z', 1_357_034_400_123],
    ['1357034400000', 1_357_034_400_000],
    ['@1357034400000', 1_357_034_400_000],
    ['0', 0],
    ['1969-12-31', undefined],
    ['-1', undefined],
    ['2013-02-30', undefined],
    ['01/02/2013', undefined],
    ['99999999999999999999', undefined],
    ['', undefined],
    ['NA', undefined],
  ])('%s is %s', (text, timestamp) => expect(parseTimestamp(text)).toBe(timestamp))
})

describe('the source of timestamps', () => {
  it('is a column before it is a time', () => {
    expect(timestampSource('2013', ['2013'], 5)).toEqual({ from: 'column', column: '2013' })
    expect(timestampSource('2013', ['a'], 5)).toEqual({ from: 'time', timestamp: 2013 })
    expect(timestampSource(undefined, ['a'], 5)).toEqual({ from: 'clock', timestamp: 5 })
  })

  it('names the columns when it is neither', () => {
    expect(() => timestampSource('tme', ['time', 'x'], 5)).toThrow(
      expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('time, x') }),
    )
  })
})
