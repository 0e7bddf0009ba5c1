import type { StandardSchemaV1 } from '@standard-schema/spec'
import { describe, expect, it } from 'vitest'
import { json } from '../../../src/serde/json/json.ts'
import { decodeBytes, throughBytes } from './round-trip.ts'

const read = (text: string, options = {}): unknown => decodeBytes(json<unknown>(options), Buffer.from(text))
const write = (value: unknown, options = {}): string => Buffer.from(json<unknown>(options).encode(value)).toString()
const badData = (part: string | RegExp) =>
  expect.objectContaining({ code: 'BAD_DATA', message: expect.stringMatching(part) })

describe('reading integers', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['-9007199254740992', -9007199254740992],
    ['9007199254740993', undefined],
    ['-9007199254740993', undefined],
    ['602214076000000000000000', undefined],
    ['6.022e23', 6.022e23],
    ['1e22', 1e22],
    ['1E23', 1e23],
    ['-1e+23', -1e23],
    ['9007199254740993.0', 9007199254740992],
    ['9007199254740993.0e0', 9007199254740992],
    ['900719925474099.3e1', 9007199254740992],
    ['90071992547409930e-1', 9007199254740992],
    ['9007199254740993.5', 9007199254740994],
    ['0.1234567890123456789', 0.12345678901234568],
    ['1e-400', 0],
    ['1.0000000000000000000000', 1],
    ['[1,{"a":[9007199254740993]}]', undefined],
    ['{"a":"9007199254740993","b":1}', { a: '9007199254740993', b: 1 }],
    ['{"9007199254740993":9007199254740992}', { '9007199254740993': 9007199254740992 }],
    ['{"a\\"9007199254740993":9007199254740994}', { 'a"9007199254740993': 9007199254740994 }],
  ])('%s', (text, expected) => {
    if (expected === undefined) expect(() => read(text)).toThrowError(badData(/^the integer \S+ does not fit/))
    else expect(read(text)).toEqual(expected)
  })

  it.each(['1E400', '-1e400', '[1e999999999]', '1797693134862315900000e288'])('%s is beyond all doubles', (text) => {
    for (const bigints of [false, true]) {
      expect(() => read(text, { bigints })).toThrowError(badData(/^the number \S+ does not fit/))
    }
  })

  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['-9007199254740993', -9007199254740993n],
    ['{"a":[1,9007199254740993.0]}', { a: [1, 9007199254740992] }],
    ['1e22', 1e22],
    ['6.022e23', 6.022e23],
    ['602214076000000000000000', 602214076000000000000000n],
    ['[1e300,-0]', [1e300, -0]],
    ['9007199254740993.5', 9007199254740994],
    ['{"__proto__":9007199254740993,"constructor":1}', JSON.parse('{"__proto__":0,"constructor":1}')],
    ['{"a":9007199254740993,"a":9007199254740995}', { a: 9007199254740995n }],
  ])('%s with bigints', (text, expected) => {
    const value = read(text, { bigints: true })
    if (text.includes('__proto__')) expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor'])
    else expect(value).toEqual(expected)
  })

  it('refuses an integer with more digits than anyone needs', () => {
    expect(() => read('9'.repeat(1001), { bigints: true })).toThrowError(badData('too many digits'))
    expect(read('9'.repeat(1000), { bigints: true })).toBe(10n ** 1000n - 1n)
  })

  it('names the integer and the way out', () => {
    expect(() => read('{"id":9007199254740993}')).toThrowError(
      expect.objectContaining({
        message: 'the integer 9007199254740993 does not fit a JavaScript number',
        hint: expect.stringContaining('json({ bigints: true })'),
      }),
    )
  })

  it('passes over a long text', () => {
    const text = `{"text":"${'\\"1e999 '.repeat(300_000)}","id":9007199254740993}`
    expect(() => read(text)).toThrowError(badData('the integer 9007199254740993'))
  })
})

describe('reading what is not JSON', () => {
  it.each([
    ['', /^there is no JSON in 0 bytes$/],
    ['{bad', /^the bytes 7b626164 are not JSON: /],
    ['{"a":1}x', /are not JSON/],
    ['\ufeff{}', /are not JSON/],
    ['null', /^the JSON text null was read$/],
    [' null ', /^the JSON text null was read$/],
  ])('"%s"', (text, message) => {
    expect(() => read(text)).toThrowError(badData(message))
    expect(() => json().decodeKey?.(Buffer.from(text).latin1Slice())).toThrowError(badData(message))
  })

  it('hints at a schema registry where the bytes look framed', () => {
    const framed = Buffer.concat([Buffer.from('0000000007', 'hex'), Buffer.from('{"n":1}')])
    expect(() => decodeBytes(json(), framed)).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('schema registry') }),
    )
  })

  it('refuses malformed UTF-8 inside a text', () => {
    expect(() => decodeBytes(json(), Buffer.from('7b2261223a22ff227d', 'hex'))).toThrowError(badData('are not UTF-8'))
  })

  it('reads null where it is allowed', () => expect(read('null', { allowNull: true })).toBe(null))
  it('reads null inside a value', () => expect(read('{"a":null}')).toEqual({ a: null }))
  it('ends on a value nested too deeply', () => {
    expect(() => read('['.repeat(200_000) + ']'.repeat(200_000))).toThrowError(badData(/./))
  })
})

describe('writing', () => {
  it.each([
    [{ a: 1, b: 'x', c: null }, '{"a":1,"b":"x","c":null}'],
    [{ a: undefined, b: 1 }, '{"b":1}'],
    [[null], '[null]'],
    ['null', '"null"'],
    ['\ud83d', '"\\ud83d"'],
    [2 ** 60, '1152921504606846976'],
    [[6.022e23, -1e23, 1e21], '[6.022e+23,-1e+23,1e+21]'],
    [[1e20, -1e20], '[100000000000000000000,-100000000000000000000]'],
    [{ at: new Date(0), b: new Named('x') }, '{"at":"1970-01-01T00:00:00.000Z","b":{"name":"x"}}'],
  ])('%j', (value, text) => expect(write(value)).toBe(text))

  it.each([
    [undefined, /type undefined cannot be written/],
    [() => 1, /type function cannot be written/],
    [Symbol('s'), /type symbol cannot be written/],
    [Number.NaN, /NaN would be lost/],
    [{ mean: 0 / 0 }, /NaN would be lost/],
    [{ deep: [{ mean: Number.POSITIVE_INFINITY }] }, /Infinity would be lost/],
    [[1, undefined], /undefined in a list would be lost/],
    [{ at: new Date(Number.NaN) }, /an invalid date would be lost/],
    [null, /null was written/],
    [{ toJSON: () => null }, /null was written/],
    [new Map([[1, 2]]), /a Map would be lost/],
    [{ seen: new Set() }, /a Set would be lost/],
    [5n, /^a bigint was to be written/],
    [circular(), /refers to itself/],
  ])('refuses %o', (value, message) => expect(() => write(value)).toThrowError(badData(message)))

  it('writes null where it is allowed', () => expect(write(null, { allowNull: true })).toBe('null'))

  it.each([
    [5n, '5'],
    [{ id: 9007199254740993n, at: new Date(0) }, '{"id":9007199254740993,"at":"1970-01-01T00:00:00.000Z"}'],
    [{ a: undefined, b: [1n, 'x', null] }, '{"b":[1,"x",null]}'],
    [{ a: 1 }, '{"a":1}'],
    [[2 ** 60, -(2 ** 60)], '[1.152921504606847e+18,-1.152921504606847e+18]'],
  ])('%o with bigints', (value, text) => expect(write(value, { bigints: true })).toBe(text))

  it.each([
    [{ mean: Number.NaN, id: 1n }, /NaN would be lost/],
    [circular(), /refers to itself/],
    [undefined, /type undefined/],
  ])('refuses %o with bigints', (value, message) => {
    expect(() => write(value, { bigints: true })).toThrowError(badData(message))
  })

  it('writes the digits of a bigint whatever others have made of it', () => {
    Object.defineProperty(BigInt.prototype, 'toJSON', { value: () => 'patched', configurable: true })
    try {
      expect(write([5n], { bigints: true })).toBe('[5]')
    } finally {
      Reflect.deleteProperty(BigInt.prototype, 'toJSON')
    }
  })
})

describe('a schema', () => {
  const positive = schema<number>((value) =>
    typeof value === 'number' && value > 0
      ? { value }
      : { issues: [{ message: 'must be above 0', path: ['n', { key: 1 }] }] },
  )

  it('lets good values pass', () => expect(throughBytes(json({ schema: positive }), 5)).toBe(5))
  it('gives what it makes of them', () => {
    const dated = schema<Date>((value) => ({ value: new Date(String(value)) }))
    expect(throughBytes(json({ schema: dated }), new Date(0))).toEqual(new Date(0))
  })
  it('names what does not fit', () => {
    expect(() => decodeBytes(json({ schema: positive }), Buffer.from('-1'))).toThrowError(
      badData('the value does not fit its schema: n.1: must be above 0'),
    )
  })
  it('has to answer at once', () => {
    const slow = schema<number>(async () => ({ value: 1 }))
    expect(() => decodeBytes(json({ schema: slow }), Buffer.from('1'))).toThrowError(
      expect.objectContaining({ code: 'JOB_INVALID', message: 'the schema validates asynchronously' }),
    )
  })
})

it('is one and the same serde where it is of one kind', () => {
  expect(json<number>()).toBe(json<string>({}))
  expect(json({ bigints: true })).toBe(json({ bigints: true, allowNull: false }))
  expect(json({ bigints: true })).not.toBe(json())
})

class Named {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function circular(): object {
  const value: Record<string, unknown> = {}
  value.self = value
  return value
}

function schema<T>(validate: StandardSchemaV1.Props<unknown, T>['validate']): StandardSchemaV1<unknown, T> {
  return { '~standard': { version: 1, vendor: 'test', validate } }
}
