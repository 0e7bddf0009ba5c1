import fc from 'fast-check'
import { json } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../fixtures/property-runs.ts'

const FIELDS = ['a', 'b', 'amount']
const some = json<unknown>({ fields: FIELDS })
const whole = json<unknown>()

const bytesOf = (text: string): Uint8Array => Buffer.from(`..${text}..`).subarray(0)

function decode(serde: typeof whole, text: string): unknown {
  const bytes = bytesOf(text)
  try {
    return { value: serde.decode(bytes, 2, bytes.length - 2) }
  } catch (error) {
    return (error as Error).message
  }
}

function picked(text: string): unknown {
  const all = decode(whole, text)
  if (typeof all === 'string') return all
  const { value } = all as { value: unknown }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return all
  return { value: Object.fromEntries(Object.entries(value).filter(([name]) => FIELDS.includes(name))) }
}

describe('some fields of JSON', () => {
  it.each([
    '{"user":"u","page":"/item/1","amount":12.34,"ts":1760000000000}',
    '{"amount":-0.5}',
    '{ "a" : 1 ,\n"b":[{"a":3},"]}"], "amount"\t: {"x":"\\"}"} }',
    '{"a":1,"a":2}',
    '{"a":"\\u00e9\\n","b":"é","amount":"x"}',
    '{"\\u0061":1,"b":2}',
    '{"a":9007199254740993}',
    '{"a":123456789012345,"b":1234567890123456,"amount":0.1}',
    '{"a":1e3,"b":1E-2,"amount":1.5e300}',
    '{"a":01}',
    '{"a":-}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":tru}',
    '{"a":true,"b":null,"amount":false}',
    '{"a":1',
    '{"a":1}}',
    '{"a":1,}',
    '{"a"1}',
    '{"a":"x',
    '{"a":"x\ty"}',
    '{}',
    ' { } ',
    '[]',
    '[1]',
    '12',
    '"a"',
    'null',
    '',
  ])('are those of the whole: %s', (text) => {
    expect(decode(some, text)).toEqual(picked(text))
  })

  it('are those of the whole, whatever else it holds', () => {
    const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e15, max: 1e15 }), fc.constant(-0))
    const value = fc.oneof(
      number,
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.array(fc.string()),
      fc.dictionary(fc.string(), fc.string()),
    )
    const names = fc.oneof(fc.constantFrom(...FIELDS), fc.string())
    const object = fc.dictionary(names, value)
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 1, '\t'), (each, indent) => {
        const text = JSON.stringify(each, null, indent)
        expect(decode(some, text)).toEqual(picked(text))
      }),
      propertyRuns(500),
    )
  })

  it('are read exactly where they are decimals of a few digits', () => {
    const decimal = fc.tuple(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), fc.stringMatching(/^[0-9]{1,6}$/))
    fc.assert(
      fc.property(decimal, ([units, fraction]) => {
        expect(decode(some, `{"a":${units}.${fraction}}`)).toEqual({ value: { a: Number(`${units}.${fraction}`) } })
      }),
      propertyRuns(500),
    )
  })

  it('passes over what nobody asked for, whatever it is', () => {
    expect(decode(some, '{"x":tru,"a":1}')).toEqual({ value: { a: 1 } })
    expect(decode(json({ fields: ['é'] }), '{"é":1,"a":2}')).toEqual({ value: { é: 1 } })
  })

  it('reads as the same format, and writes all', () => {
    expect(some.format).toBe('json')
    expect(String(some.encode({ a: 1, z: 2 }))).toBe('{"a":1,"z":2}')
  })
})
