import { describe, expect, it } from 'vitest'
import { jsonDocument } from '../../../src/cli/output/json.ts'
import { storeDocumentInParts, storeRowsInParts, storeRowsInWords } from '../../../src/cli/output/store-words.ts'

const TIME = Date.UTC(2013, 0, 1, 10)
const ROWS = [
  { key: 'a', value: 5n, timestamp: TIME },
  { key: Uint8Array.of(255), value: { n: 9007199254740993n, t: 'x,"y"' }, timestamp: TIME },
]
const WINDOWED = [{ key: 'UA', start: TIME, end: TIME + 3_600_000, value: 1.5, timestamp: TIME }]

describe('rows of a store', () => {
  it('are a table', () => {
    expect(storeRowsInWords(ROWS, 'table')).toBe(
      [
        'key   value                                 timestamp',
        'a     5                                     2013-01-01T10:00Z',
        '/w==  {"n":9007199254740993,"t":"x,\\"y\\""}  2013-01-01T10:00Z',
      ].join('\n'),
    )
    expect(storeRowsInWords(WINDOWED, 'table')).toBe(
      [
        'key  start              end                value  timestamp',
        'UA   2013-01-01T10:00Z  2013-01-01T11:00Z  1.5    2013-01-01T10:00Z',
      ].join('\n'),
    )
    expect(storeRowsInWords([], 'table')).toBe('no rows')
  })

  it('are csv', () => {
    expect(storeRowsInWords(ROWS, 'csv')).toBe(
      [
        'key,value,timestamp',
        'a,5,2013-01-01T10:00:00.000Z',
        '/w==,"{""n"":9007199254740993,""t"":""x,\\""y\\""""}",2013-01-01T10:00:00.000Z',
      ].join('\n'),
    )
  })

  it('are a line of JSON each', () => {
    expect(storeRowsInWords(WINDOWED, 'json')).toBe(
      `{"key":"UA","start":${TIME},"end":${TIME + 3_600_000},"value":1.5,"timestamp":${TIME}}\n`,
    )
  })

  it('come in parts that are together what they are at once', () => {
    const many = Array.from({ length: 2500 }, (_, n) => ({ key: `k${n}`, value: n, timestamp: TIME }))
    for (const rows of [many, ROWS, [], many.slice(0, 1000)]) {
      expect([...storeRowsInParts(rows, 'csv')].join('')).toBe(`${storeRowsInWords(rows, 'csv')}\n`)
      expect([...storeRowsInParts(rows, 'json')].join('')).toBe(storeRowsInWords(rows, 'json'))
      expect([...storeDocumentInParts('j', 's', rows)].join('')).toBe(
        jsonDocument({ job: 'j', store: 's', rows }, false),
      )
    }
    const tables = [...storeRowsInParts(many, 'table')]
    expect(tables.map((part) => part.split('\n').filter((line) => line.startsWith('k')).length)).toEqual([
      1001, 1001, 501,
    ])
    expect([...storeRowsInParts([], 'table')]).toEqual(['no rows\n'])
  })
})
