import fc from 'fast-check'
import {
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
const time = fc.oneof(fc.nat(), fc.maxSafeNat())

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
    holds(sessionWindowed(string()), fc.record({ key, start: time, end: time }))
    holds(calendarWindowed(string()), fc.record({ key, start: time, end: time }))
    holds(sessionWindowed(int64()), fc.record({ key: fc.bigInt({ min: 0n, max: 9n }), start: time, end: time }))
    holds(timeWindowed(sessionWindowed(json<number>()), 10), nested)
  })
  const nested = fc
    .record({ key: fc.record({ key: fc.nat(), start: time, end: time }), start: time })
    .map((at) => ({ ...at, end: at.start + 10 }))

  it('lie in the order of key, then time, where keys have one length', () => {
    const serde = timeWindowed(string(), 10)
    const bytes = (of: string, start: number) => hex(serde, { key: of, start, end: start + 10 })
    const sorted = [bytes('a', 0), bytes('a', 255), bytes('a', 256), bytes('a', 2 ** 40), bytes('b', 0)]
    expect([...sorted].sort()).toEqual(sorted)
  })

  it.each([
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

function hex<K>(serde: Serde<Windowed<K>>, window: Windowed<K>): string {
  return Buffer.from(serde.encode(window)).toString('hex')
}
