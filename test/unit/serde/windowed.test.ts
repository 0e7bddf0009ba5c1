import fc from 'fast-check'
import {
  bytes,
  calendarWindowed,
  int64,
  json,
  type Serde,
  sessionWindowed,
  string,
  timeWindowed,
  type Windowed,
} from 'tidemark'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { decodeBytes, throughBytes, throughKey } from './round-trip.ts'

const FIVE_MINUTES = 300_000
// what is added to a time stays a safe integer
const time = fc.oneof(fc.nat(), fc.nat(Number.MAX_SAFE_INTEGER - 100))

/** What Kafka Streams 4.1 wrote with WindowedSerdes of its string serde: windows of five minutes, sessions of 7 ms. */
const KAFKA = [
  ['a', 0, '610000000000000000', '6100000000000000070000000000000000'],
  ['a', 300000, '6100000000000493e0', '6100000000000493e700000000000493e0'],
  ['a', 1762560000000, '610000019a60c34000', '610000019a60c340070000019a60c34000'],
  ['a', 9007199254440991, '61001ffffffffb6c1f', '61001ffffffffb6c26001ffffffffb6c1f'],
  ['', 300000, '00000000000493e0', '00000000000493e700000000000493e0'],
  [
    'Düsseldorf',
    1762560000000,
    '44c3bc7373656c646f72660000019a60c34000',
    '44c3bc7373656c646f72660000019a60c340070000019a60c34000',
  ],
] as const

describe('keys with windows', () => {
  it.each(KAFKA)('%o at %i are the bytes that Kafka Streams writes', (key, start, timeBytes, sessionBytes) => {
    const window = { key, start, end: start + FIVE_MINUTES }
    expect(hex(timeWindowed(string(), '5m'), window)).toBe(timeBytes)
    expect(decodeBytes(timeWindowed(string(), '5m'), Buffer.from(timeBytes, 'hex'))).toEqual(window)
    const session = { key, start, end: start + 7 }
    expect(hex(sessionWindowed(string()), session)).toBe(sessionBytes)
    expect(decodeBytes(sessionWindowed(string()), Buffer.from(sessionBytes, 'hex'))).toEqual(session)
  })

  const holds = <K>(serde: Serde<Windowed<K>>, windows: fc.Arbitrary<Windowed<K>>) =>
    fc.assert(
      fc.property(windows, (window) => {
        expect(throughBytes(serde, window)).toEqual(window)
        expect(throughKey(serde, window)).toEqual(window)
      }),
      propertyRuns(300),
    )
  const key = fc.string({ unit: 'binary' })

  it('come back, with start and end', () => {
    const sized = fc.record({ key, start: time }).map((at) => ({ ...at, end: at.start + 10 }))
    holds(timeWindowed(string(), 10), sized)
    holds(sessionWindowed(string()), windowsOf(key))
    holds(sessionWindowed(int64()), windowsOf(fc.bigInt({ min: -9n, max: 9n })))
    holds(calendarWindowed(string()), windowsOf(key))
    holds(calendarWindowed(int64()), windowsOf(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })))
    holds(calendarWindowed(json<unknown>()), windowsOf(fc.dictionary(fc.string(), fc.nat())))
    holds(calendarWindowed(bytes()), windowsOf(fc.uint8Array()))
    holds(timeWindowed(sessionWindowed(json<number>()), 10), nested)
  })
  const windowsOf = <K>(key: fc.Arbitrary<K>) =>
    fc.record({ key, one: time, two: time }).map(({ key: of, one, two }) => {
      return { key: of, start: Math.min(one, two), end: Math.max(one, two) }
    })
  const nested = fc.record({ key: windowsOf(fc.nat()), start: time }).map((at) => ({ ...at, end: at.start + 10 }))

  it('lie in the order of key, then time, where keys have one length', () => {
    const serde = timeWindowed(string(), 10)
    const shown = (of: string, start: number) => hex(serde, { key: of, start, end: start + 10 })
    const sorted = [shown('a', 0), shown('a', 255), shown('a', 256), shown('a', 2 ** 40), shown('b', 0)]
    expect([...sorted].sort()).toEqual(sorted)
  })

  it('of calendar windows lie in the order of key, start, end', () => {
    const serde = calendarWindowed(string())
    const days = fc.record({ key: fc.constantFrom('a', 'b', '\xff'), start: time, days: fc.nat(40) })
    fc.assert(
      fc.property(fc.array(days), (given) => {
        const windows = given.map(({ key: of, start, days: length }) => ({ key: of, start, end: start + length }))
        const inOrder = [...windows].sort(
          (one, two) => order(one.key, two.key) || one.start - two.start || one.end - two.end,
        )
        const inBytes = windows
          .map((window) => serde.encode(window))
          .sort(Buffer.compare)
          .map((encoded) => decodeBytes(serde, encoded))
        expect(inBytes).toEqual(inOrder)
      }),
      propertyRuns(100),
    )
  })
  const order = (one: string, two: string) => (one === two ? 0 : one < two ? -1 : 1)

  it('of calendar windows are these bytes', () => {
    // a day of 25 hours in Berlin
    const window = { key: 'a', start: Date.UTC(2025, 9, 25, 22), end: Date.UTC(2025, 9, 26, 23) }
    expect(hex(calendarWindowed(string()), window)).toBe('610000019a1d62b7000000019a22c00180')
    expect(decodeBytes(calendarWindowed(string()), Buffer.from('610000019a1d62b7000000019a22c00180', 'hex'))).toEqual(
      window,
    )
  })

  it.each([
    ['a window of another size', () => timeWindowed(string(), 10).encode({ key: 'a', start: 0, end: 20 })],
    [
      'a window of another size, as a key',
      () => timeWindowed(string(), 10).encodeKey?.({ key: 'a', start: 0, end: 20 }),
    ],
    ['an end before the start', () => calendarWindowed(string()).encode({ key: 'a', start: 2, end: 1 })],
    ['an end before the start, as a key', () => sessionWindowed(string()).encodeKey?.({ key: 'a', start: 2, end: 1 })],
    ['bytes that end before they start', () => calendarWindowed(string()).decode(times(2, 1), 0, 16)],
    ['bytes of a calendar as a session', () => sessionWindowed(string()).decode(times(1, 2), 0, 16)],
    ['a calendar without its end', () => calendarWindowed(string()).decode(times(1, 2), 0, 15)],
    ['a calendar without its end, as a key', () => calendarWindowed(string()).decodeKey?.('\0'.repeat(15))],
    ['a calendar whose end is before 0', () => calendarWindowed(string()).decode(times(1, -2), 0, 16)],
    ['a calendar whose end is past 2^53', () => calendarWindowed(string()).decode(times(1, 2 ** 53), 0, 16)],
    [
      'a calendar of a bad key',
      () => calendarWindowed(string()).decode(Buffer.concat([Buffer.of(0xff), times(1, 2)]), 0, 17),
    ],
    ['a time before 0', () => timeWindowed(string(), 10).encode({ key: 'a', start: -1, end: 9 })],
    ['half a millisecond', () => timeWindowed(string(), 10).encode({ key: 'a', start: 0.5, end: 10.5 })],
    ['no window', () => timeWindowed(string(), 10).encode('a' as never)],
    ['too few bytes', () => timeWindowed(string(), 10).decode(Buffer.alloc(7), 0, 7)],
    ['too few bytes of a session', () => sessionWindowed(string()).decodeKey?.('0123456789abcde')],
    ['a start before 0', () => timeWindowed(string(), 10).decode(Buffer.alloc(8, 0xff), 0, 8)],
  ])('refuse %s', (_, act) => {
    expect(act).toThrowError(expect.objectContaining({ code: 'BAD_DATA' }))
  })

  it('are named with what decides how they read', () => {
    expect(timeWindowed(string(), '1h').format).toBe('time-windowed(string, 3600000 ms)')
    expect(sessionWindowed(json()).format).toBe('session-windowed(json)')
    expect(calendarWindowed(int64()).format).toBe('calendar-windowed(int64)')
  })
})

function times(...each: readonly number[]): Buffer {
  const encoded = Buffer.alloc(each.length * 8)
  for (const [at, time] of each.entries()) encoded.writeBigInt64BE(BigInt(time), at * 8)
  return encoded
}

function hex<K>(serde: Serde<Windowed<K>>, window: Windowed<K>): string {
  return Buffer.from(serde.encode(window)).toString('hex')
}
