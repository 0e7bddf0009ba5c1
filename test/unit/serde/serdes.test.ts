import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytes } from '../../../src/serde/bytes.ts'
import { int64 } from '../../../src/serde/int64.ts'
import { json } from '../../../src/serde/json/json.ts'
import type { Serde } from '../../../src/serde/serde.ts'
import { string } from '../../../src/serde/string.ts'
import { serde } from '../../../src/serde/user-serde.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { decodeBytes, throughBytes, throughKey } from './round-trip.ts'

const { seed, numRuns } = propertyRuns(200)

const number = fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0))
const isValue = (value: unknown) => value !== null && !JSON.stringify(value, nameMinusZero).includes('minus zero')
const nameMinusZero = (_: string, value: unknown) => (Object.is(value, -0) ? 'minus zero' : value)
const isBig = (value: bigint) => !Number.isSafeInteger(Number(value))

function holds<T>(serde: Serde<T>, values: fc.Arbitrary<T>): void {
  fc.assert(
    fc.property(values, (value) => {
      expect(throughBytes(serde, value)).toEqual(value)
      expect(throughKey(serde, value)).toEqual(value)
    }),
    { numRuns, seed },
  )
}

describe('every serde gives back what it was given', () => {
  it('string', () => holds(string(), fc.string({ unit: 'binary' })))
  it('bytes', () => holds(bytes(), fc.uint8Array()))
  it('int64', () => holds(int64(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })))
  it('json', () => holds(json<unknown>(), fc.jsonValue().filter(isValue)))
  it('json of any numbers', () => holds(json<unknown>(), fc.array(number)))
  it('json with bigints', () =>
    holds(json<unknown>({ bigints: true }), fc.array(fc.oneof(number, fc.bigInt().filter(isBig), fc.string()))))
})

describe('string', () => {
  it('writes UTF-8', () => expect(Buffer.from(string().encode('é'))).toEqual(Buffer.from('c3a9', 'hex')))
  it('reads no bytes as no characters', () => expect(decodeBytes(string(), new Uint8Array())).toBe(''))
  it('keeps a replacement character that is there', () => expect(throughBytes(string(), 'a\ufffdb')).toBe('a\ufffdb'))
  it('keeps a byte order mark', () => expect(throughBytes(string(), '\ufeffa')).toBe('\ufeffa'))

  it.each(['80', 'ff', 'c3', 'eda080', '61fe62'])('refuses the malformed bytes %s', (hex) => {
    expect(() => decodeBytes(string(), Buffer.from(hex, 'hex'))).toThrowError(
      expect.objectContaining({
        code: 'BAD_DATA',
        message: `the bytes ${hex} are not UTF-8`,
        hint: expect.any(String),
      }),
    )
    expect(() => string().decodeKey?.(Buffer.from(hex, 'hex').latin1Slice())).toThrowError(/not UTF-8/)
  })

  it('refuses to write half of a surrogate pair', () => {
    expect(() => string().encode('a\ud83d')).toThrowError(/half of a surrogate pair/)
    expect(() => string().encodeKey?.('a\ud83d')).toThrowError(/half of a surrogate pair/)
  })

  it.each([[undefined], [null], [5], [{}]])('refuses to write %s', (value) => {
    expect(() => string().encode(value as unknown as string)).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', message: expect.stringContaining('string() cannot write') }),
    )
  })
})

describe('bytes', () => {
  it('copies what it reads', () => {
    const source = Buffer.from([1, 2, 3])
    const read = bytes().decode(source, 1, 3)
    source.fill(9)
    expect(read).toEqual(new Uint8Array([2, 3]))
  })

  it('refuses to write a text', () => {
    expect(() => bytes().encode('abc' as unknown as Uint8Array)).toThrowError(/bytes\(\) cannot write/)
  })
})

describe('int64', () => {
  it.each([
    [0n, '0000000000000000'],
    [132n, '0000000000000084'],
    [-1n, 'ffffffffffffffff'],
    [2n ** 63n - 1n, '7fffffffffffffff'],
  ])('writes %s as eight bytes, big-endian', (value, hex) => {
    expect(Buffer.from(int64().encode(value)).toString('hex')).toBe(hex)
  })

  it.each([[2n ** 63n], [-(2n ** 63n) - 1n], [5], ['5'], [undefined]])('refuses to write %s', (value) => {
    expect(() => int64().encode(value as bigint)).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
  })

  it.each(['', '05', '000000000000000005'])('refuses to read the bytes "%s"', (hex) => {
    expect(() => decodeBytes(int64(), Buffer.from(hex, 'hex'))).toThrowError(/reads 8 bytes/)
  })
})

describe('a serde of the user', () => {
  const upper = serde<string>({
    format: 'upper@1',
    encode: (value) => Buffer.from(value.toUpperCase()),
    decode: (read) => Buffer.from(read).toString().toLowerCase(),
  })

  it('reads its own bytes alone', () => expect(throughBytes(upper, 'abc')).toBe('abc'))
  it('is a key too', () => expect(throughKey(upper, 'abc')).toBe('abc'))

  it('turns what it throws into bad data', () => {
    const failing = serde<string>({
      format: 'failing@1',
      encode: () => {
        throw new RangeError('too long')
      },
      decode: () => {
        throw new RangeError('too short')
      },
    })
    expect(() => failing.encode('a')).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', message: 'failing@1 could not write a value: too long' }),
    )
    expect(() => decodeBytes(failing, Buffer.from('abc'))).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', message: 'failing@1 could not read 616263: too short' }),
    )
  })

  it('has to write bytes', () => {
    const texts = serde<string>({ ...upper, encode: (value) => value as unknown as Uint8Array, decode: String })
    expect(() => texts.encode('a')).toThrowError(/wrote a string instead of bytes/)
  })

  it.each([[''], [' '], [undefined]])('has a format: not "%s"', (format) => {
    const options = { format: format as string, encode: () => new Uint8Array(), decode: String }
    expect(() => serde(options)).toThrowError(expect.objectContaining({ code: 'JOB_INVALID' }))
  })
})
