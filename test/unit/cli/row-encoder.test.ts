import { describe, expect, it } from 'vitest'
import { cellAs } from '../../../src/cli/import/cell-json.ts'
import type { ColumnType } from '../../../src/cli/import/cell-type.ts'
import { type ColumnSettings, RowEncoder } from '../../../src/cli/import/row-encoder.ts'

const NO_SETTINGS: ColumnSettings = { types: new Map<string, ColumnType>(), nullText: undefined }

function encodeAll(header: readonly string[], rows: readonly (readonly string[])[], settings = NO_SETTINGS) {
  const first = new RowEncoder(header, settings)
  for (const row of rows) first.encode(row)
  const second = new RowEncoder(header, settings, first.columns)
  return { first, rows: rows.map((row) => second.encode(row)), columns: second.columns.map(({ inferred }) => inferred) }
}

describe('a cell as a declared type', () => {
  it.each([
    ['integer', '007', '7'],
    ['integer', '+7', '7'],
    ['integer', '-000', '-0'],
    ['integer', '9007199254740993', '9007199254740993'],
    ['integer', '1.0', undefined],
    ['integer', '', undefined],
    ['number', '1.50', '1.50'],
    ['number', '.5', '0.5'],
    ['number', '5.', '5'],
    ['number', '+00.5e10', '0.5e10'],
    ['number', '1e5', '1e5'],
    ['number', '1,5', undefined],
    ['number', 'NaN', undefined],
    ['number', '-', undefined],
    ['boolean', 'TRUE', 'true'],
    ['boolean', 'f', 'false'],
    ['boolean', '1', 'true'],
    ['boolean', 'yes', undefined],
    ['string', '12', '"12"'],
    ['string', 'a"b\\c\u0007\n', '"a\\"b\\\\c\\u0007\\n"'],
    ['json', '{"a":\n[1]}', '{"a": [1]}'],
    ['json', '{a}', undefined],
  ] as const)('%s of %j is %s', (type, text, json) => {
    expect(cellAs(type, text)).toBe(json)
    if (json !== undefined) expect(() => JSON.parse(json)).not.toThrow()
  })
})

describe('rows as JSON', () => {
  it('keeps the digits of numbers, and text as text', () => {
    const { rows } = encodeAll(
      ['n', 'x', 'b', 't'],
      [
        ['1', '2.50', 'true', 'a'],
        ['2', '3', 'false', '1'],
      ],
    )
    expect(rows).toEqual(['{"n":1,"x":2.50,"b":true,"t":"a"}', '{"n":2,"x":3,"b":false,"t":"1"}'])
  })

  it('has one type for a column, whatever the first rows look like', () => {
    const { first, rows, columns } = encodeAll(['zip'], [['10115'], ['02134']])
    expect(first.widened).toBe(true)
    expect(columns).toEqual(['string'])
    expect(rows).toEqual(['{"zip":"10115"}', '{"zip":"02134"}'])
  })

  it('does not start again where the JSON stays the same', () => {
    const numbers = new RowEncoder(['n'], NO_SETTINGS)
    for (const cell of ['1', '1.5', '']) numbers.encode([cell])
    expect(numbers.widened).toBe(false)
    const late = new RowEncoder(['n'], NO_SETTINGS)
    for (const cell of ['', '', 'x']) late.encode([cell])
    expect(late.widened).toBe(false)
  })

  it('is null where a cell is empty or has the null text, in columns of every type', () => {
    const settings = { types: new Map<string, ColumnType>([['s', 'string']]), nullText: 'NA' }
    const { rows, columns } = encodeAll(
      ['n', 's'],
      [
        ['1', 'NA'],
        ['NA', ''],
        ['', 'NAN'],
      ],
      settings,
    )
    expect(rows).toEqual(['{"n":1,"s":null}', '{"n":null,"s":null}', '{"n":null,"s":"NAN"}'])
    expect(columns[0]).toBe('integer')
  })

  it('says which cell is not of the type that was given', () => {
    const settings = { types: new Map<string, ColumnType>([['n', 'integer']]), nullText: undefined }
    const encoder = new RowEncoder(['n'], settings)
    expect(encoder.encode(['x'])).toEqual({ problem: '"x" in column n is not an integer' })
  })

  it('takes any name of a column', () => {
    expect(encodeAll(['__proto__', 'a"b'], [['1', '2']]).rows).toEqual(['{"__proto__":1,"a\\"b":2}'])
  })
})
