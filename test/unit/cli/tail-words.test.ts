import { describe, expect, it } from 'vitest'
import type { TailRecord } from '../../../src/cli/topics/tail-topic.ts'
import { tailInParts, tailInWords } from '../../../src/cli/topics/tail-words.ts'

const record = (changes: Record<string, unknown>): TailRecord => ({
  partition: 0,
  offset: 7,
  timestamp: '2013-01-01T10:00:00.000Z',
  key: 'a',
  value: { n: 1 },
  ...changes,
})

describe('records in words', () => {
  it('are a table, with integers as they are, and what is no text in base64', () => {
    const records = [
      record({}),
      record({ offset: 12_345, key: null, value: { n: 9007199254740993n } }),
      record({ value: undefined, valueText: 'not json' }),
      record({ key: undefined, keyBase64: '/w==', value: null }),
    ]
    expect(tailInWords('t', records)).toBe(
      [
        'partition  offset  timestamp          key   value',
        '        0       7  2013-01-01T10:00Z  a     {"n":1}',
        '        0   12345  2013-01-01T10:00Z  null  {"n":9007199254740993}',
        '        0       7  2013-01-01T10:00Z  a     not json',
        '        0       7  2013-01-01T10:00Z  /w==  null',
      ].join('\n'),
    )
  })

  it('have headers where there are any', () => {
    const headers = [
      ['reason', 'bad-data'],
      ['raw', { base64: '/w==' }],
      ['none', null],
    ]
    expect(tailInWords('t', [record({ headers }), record({})])).toBe(
      [
        'partition  offset  timestamp          key  value    headers',
        '        0       7  2013-01-01T10:00Z  a    {"n":1}  reason=bad-data, raw={"base64":"/w=="}, none=null',
        '        0       7  2013-01-01T10:00Z  a    {"n":1}',
      ].join('\n'),
    )
  })

  it('are several tables where they are many', () => {
    const records = Array.from({ length: 2500 }, (_, offset) => record({ offset }))
    const tables = [...tailInParts('t', records)].map((part) =>
      part.split('\n').filter((line) => line.includes('{"n"')),
    )
    expect(tables.map((rows) => rows.length)).toEqual([1000, 1000, 500])
    expect([...tailInParts('t', [record({})])]).toEqual([`${tailInWords('t', [record({})])}\n`])
  })

  it('may be none', () => expect(tailInWords('t', [])).toBe('t has no records.'))
})
