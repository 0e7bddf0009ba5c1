import { bytes, int64, json, string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { type AskedRows, storeQueries } from '../../../src/cli/commands/state/store-queries.ts'
import type { Serde } from '../../../src/serde/serde.ts'

const NOW = 1_000_000

/** The serde's values are those of the store, whatever their type. */
const ask = (asked: AskedRows, key: unknown = string(), timed = true) =>
  storeQueries(asked, { key: key as Serde<unknown>, timed }, NOW)

describe('a key is typed as it is shown', () => {
  it.each([
    ['UA', string(), ['UA']],
    ['5', string(), ['5']],
    ['-5', int64(), [-5n]],
    ['/w==', bytes(), [Buffer.from([0xff])]],
    ['5', json(), [5, '5']],
    ['UA', json(), ['UA']],
    ['"UA"', json(), ['UA', '"UA"']],
    ['{"x":1}', json(), [{ x: 1 }, '{"x":1}']],
  ])('%s', (text, serde, keys) => {
    expect(ask({ key: text }, serde)).toEqual(keys.map((key) => ({ key })))
  })

  it.each([
    ['x', int64()],
    ['99999999999999999999', int64()],
    ['?', bytes()],
  ])('or refused: %s', (text, serde) => {
    expect(() => ask({ key: text }, serde)).toThrowError(expect.objectContaining({ code: 'USAGE' }))
  })
})

describe('a query', () => {
  it('has a prefix where keys are text or bytes', () => {
    expect(ask({ prefix: 'U' })).toEqual([{ prefix: 'U' }])
    expect(ask({ prefix: '/w==' }, bytes())).toEqual([{ prefix: Buffer.from([0xff]) }])
    expect(() => ask({ prefix: '1' }, json())).toThrowError('keys that are json have no prefix')
  })

  it('has times, for every key that is meant', () => {
    expect(ask({ from: '@5', to: '-1s' })).toEqual([{ fromTime: 5, toTime: NOW - 1000 }])
    expect(ask({ key: '5', from: '@5' }, json())).toEqual([
      { fromTime: 5, key: 5 },
      { fromTime: 5, key: '5' },
    ])
  })

  it.each<[AskedRows, string]>([
    [{ key: 'a', prefix: 'b' }, '--key and --prefix are two ways to say which keys'],
    [{ from: 'latest' }, '--from latest is not a time'],
    [{ to: '12' }, '--to 12 is not a time'],
    [{ from: '@5', to: '@1' }, '--from @5 is later than --to @1'],
  ])('is refused where it contradicts itself: %j', (asked, message) => {
    expect(() => ask(asked)).toThrowError(expect.objectContaining({ code: 'USAGE', message }))
  })

  it('has no times where rows have no window', () => {
    expect(() => ask({ from: '@5' }, string(), false)).toThrowError('--from: the rows of this store have no window')
  })
})
