import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InferredType, inferCell, widen } from '../../../src/cli/import/cell-type.ts'
import { holds } from './property.ts'

const TYPES: readonly InferredType[] = ['string', 'integer', 'number', 'boolean']

describe('the type of a cell', () => {
  it.each([
    ['0', 'integer'],
    ['517', 'integer'],
    ['-9', 'integer'],
    ['-0', 'integer'],
    ['9007199254740991', 'integer'],
    ['9007199254740992', 'string'],
    ['-9007199254740993', 'string'],
    ['10.357019999999999', 'number'],
    ['12.50', 'number'],
    ['-0.5', 'number'],
    ['0.0000001', 'number'],
    ['0.12345678901234567', 'string'],
    ['1234567890123456.5', 'number'],
    ['1234567890123456.3', 'string'],
    ['12345678901234567890.5', 'string'],
    [`0.${'0'.repeat(400)}1`, 'string'],
    ['007', 'string'],
    ['00.5', 'string'],
    ['+1', 'string'],
    ['1e5', 'string'],
    ['9E', 'string'],
    ['1.', 'string'],
    ['.5', 'string'],
    ['-', 'string'],
    ['--1', 'string'],
    ['1 ', 'string'],
    [' 1', 'string'],
    ['1,5', 'string'],
    ['0x10', 'string'],
    ['Infinity', 'string'],
    ['N14228', 'string'],
    ['true', 'boolean'],
    ['false', 'boolean'],
    ['TRUE', 'string'],
    ['2013-01-01', 'string'],
    ['١', 'string'],
  ])('%s is %s', (text, type) => expect(inferCell(text)).toBe(type))

  it('is a number only where JSON reads it back as what was written', async () => {
    const digits = fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?$/)
    await holds(
      fc.oneof(digits, fc.double().map(String), fc.string()),
      (text) => {
        const type = inferCell(text)
        if (type === 'integer') expect(BigInt(JSON.parse(text))).toBe(BigInt(text))
        if (type === 'number') expect(decimal(JSON.parse(text))).toBe(decimal(text))
      },
      2000,
    )
  })
})

/** The digits of a number without zeros at the end, whether it is written with an exponent or not. */
function decimal(value: number | string): string {
  const [, sign, digits = '', exponent = '0'] = /^(-?)([\d.]+)(?:e([-+]\d+))?$/.exec(String(value)) ?? []
  const [whole = '', fraction = ''] = digits.split('.')
  const zeros = '0'.repeat(Math.abs(Number(exponent)))
  const all = `${zeros}${whole}.${fraction}`
  const point = all.indexOf('.') + Number(exponent)
  const moved = `${all.replace('.', '').slice(0, point)}.${all.replace('.', '').slice(point)}`
  const plain = moved.replace(/^0+/, '').replace(/0+$/, '')
  return plain === '.' ? '0' : `${sign}${plain}`
}

describe('the wider of two types', () => {
  const type = fc.constantFrom(...TYPES)

  it('does not depend on the order of the rows', async () => {
    await holds(
      fc.tuple(type, type, type),
      ([a, b, c]) => {
        expect(widen(a, b)).toBe(widen(b, a))
        expect(widen(widen(a, b), c)).toBe(widen(a, widen(b, c)))
        expect(widen(a, a)).toBe(a)
      },
      200,
    )
  })

  it('is that of the first cell at first', () => {
    for (const type of TYPES) expect(widen(undefined, type)).toBe(type)
  })

  it('keeps numbers apart from all else', () => {
    expect(widen('integer', 'number')).toBe('number')
    expect(widen('integer', 'boolean')).toBe('string')
    expect(widen('number', 'string')).toBe('string')
  })
})
