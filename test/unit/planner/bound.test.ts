import { describe, expect, it } from 'vitest'
import { type Bound, formatBound, timeOfBound } from '../../../src/planner/bound.ts'
import { formatIsoTime, parseIsoTime } from '../../../src/planner/iso-time.ts'
import { parseBound } from '../../../src/planner/parse-bound.ts'
import { thrown } from './thrown.ts'

const H = 3_600_000
const at = (iso: string): Bound => ({ kind: 'timestamp', timestamp: Date.parse(iso) })
const p = (topic: string, partition: number, offset: number) => ({ topic, partition, offset })

describe('a bound', () => {
  it.each<[text: string, bound: Bound, canonical: string]>([
    ['checkpoint', { kind: 'checkpoint' }, 'checkpoint'],
    ['earliest', { kind: 'earliest' }, 'earliest'],
    [' latest ', { kind: 'latest' }, 'latest'],
    ['0', { kind: 'offset', offset: 0 }, '0'],
    ['0012', { kind: 'offset', offset: 12 }, '12'],
    ['2013', { kind: 'offset', offset: 2013 }, '2013'],
    ['9007199254740991', { kind: 'offset', offset: 9007199254740991 }, '9007199254740991'],
    ['t/0=12', { kind: 'offsets', offsets: [p('t', 0, 12)] }, 't/0=12'],
    [
      'z/10=1, z/2=0,a.b_c-D/0=12',
      { kind: 'offsets', offsets: [p('a.b_c-D', 0, 12), p('z', 2, 0), p('z', 10, 1)] },
      'a.b_c-D/0=12,z/2=0,z/10=1',
    ],
    ['2013-01-31', at('2013-01-31T00:00:00Z'), '2013-01-31T00:00:00Z'],
    ['2013-01-31T06:30', at('2013-01-31T06:30:00Z'), '2013-01-31T06:30:00Z'],
    ['2013-01-31 06:30:15', at('2013-01-31T06:30:15Z'), '2013-01-31T06:30:15Z'],
    ['2013-01-31T06:30:15.5Z', at('2013-01-31T06:30:15.500Z'), '2013-01-31T06:30:15.500Z'],
    ['2013-01-31T06:30+02:00', at('2013-01-31T04:30:00Z'), '2013-01-31T04:30:00Z'],
    ['2013-01-31T06:30-0330', at('2013-01-31T10:00:00Z'), '2013-01-31T10:00:00Z'],
    ['2013-01-31T06:30+02', at('2013-01-31T04:30:00Z'), '2013-01-31T04:30:00Z'],
    ['2012-02-29', at('2012-02-29T00:00:00Z'), '2012-02-29T00:00:00Z'],
    ['@1500', { kind: 'timestamp', timestamp: 1500 }, '1970-01-01T00:00:01.500Z'],
    ['@0', { kind: 'timestamp', timestamp: 0 }, '1970-01-01T00:00:00Z'],
    ['@9007199254740991', { kind: 'timestamp', timestamp: 9007199254740991 }, '@9007199254740991'],
    ['-6h', { kind: 'duration', ms: 6 * H }, '-6h'],
    ['-360m', { kind: 'duration', ms: 6 * H }, '-6h'],
    ['-1w1d1h30m', { kind: 'duration', ms: (8 * 24 + 1.5) * H }, '-8d1h30m'],
    ['-1.5h', { kind: 'duration', ms: 1.5 * H }, '-1h30m'],
    ['-12ms', { kind: 'duration', ms: 12 }, '-12ms'],
    ['-0s', { kind: 'duration', ms: 0 }, '-0s'],
    ['+10000', { kind: 'count', count: 10000 }, '+10000'],
    ['+0', { kind: 'count', count: 0 }, '+0'],
  ])('reads %j', (text, bound, canonical) => {
    expect(parseBound(text, '--to')).toEqual(bound)
    expect(formatBound(bound)).toBe(canonical)
    expect(parseBound(canonical, '--to')).toEqual(bound)
  })

  it.each<[text: string, why: RegExp]>([
    ['', /is not a bound/],
    ['now', /is not a bound/],
    ['Latest', /is not a bound/],
    ['12.5', /is not a bound/],
    ['@', /is not a bound/],
    ['@-5', /is not a bound/],
    ['@1.5', /is not a bound/],
    ['2013-02-29', /is not a bound/],
    ['2013-13-01', /is not a bound/],
    ['2013-00-10', /is not a bound/],
    ['2013-01-01T24:00', /is not a bound/],
    ['2013-01-01T06:60', /is not a bound/],
    ['2013-01-01T06:00+24:00', /is not a bound/],
    ['2013-01-01T06', /is not a bound/],
    ['2013-01-01T06:00:00.1234Z', /is not a bound/],
    ['1969-12-31', /lies before 1970/],
    ['1970-01-01T00:00+01:00', /lies before 1970/],
    ['9007199254740992', /too large/],
    ['+9007199254740992', /too large/],
    ['@9007199254740992', /too large/],
    ['t/0=9007199254740992', /too large/],
    ['-', /not a span/],
    ['-6', /not a span/],
    ['-6x', /not a span/],
    ['--6h', /not a span/],
    ['+', /is not a bound/],
    ['+6h', /is not a bound/],
    ['t=5', /"t=5", which is not topic\/partition=offset/],
    ['t/0=5,', /"", which is not/],
    ['t/0=-5', /"t\/0=-5", which is not/],
    ['a b/0=5', /which is not/],
    ['t/0=5,t/00=6', /names t\/0 twice/],
  ])('refuses %j and shows it', async (text, why) => {
    const error = await thrown(() => parseBound(text, '--from'))
    expect(error.code).toBe('USAGE')
    expect(error.message).toMatch(why)
    expect(error.message).toContain(`--from ${JSON.stringify(text)}`)
    expect(error.hint).toBeTruthy()
  })

  it('says what is allowed', async () => {
    const { hint } = await thrown(() => parseBound('yesterday', '--from'))
    for (const word of ['checkpoint', 'earliest', 'latest', 'flights/0=12', '2013-01-31', '@', '-6h', '+10000']) {
      expect(hint).toContain(word)
    }
  })

  it('knows a span without its sign', async () => {
    expect((await thrown(() => parseBound('6h', '--from'))).hint).toContain('--from=-6h')
  })

  it('of a job file is a fault of the job', async () => {
    expect((await thrown(() => parseBound('x', 'start of job j', 'JOB_INVALID'))).code).toBe('JOB_INVALID')
  })

  it.each<[Bound, number | null]>([
    [{ kind: 'timestamp', timestamp: 7 }, 7],
    [{ kind: 'duration', ms: 400 }, 600],
    [{ kind: 'duration', ms: 4000 }, 0],
    [{ kind: 'offset', offset: 5 }, null],
    [{ kind: 'latest' }, null],
  ])('stands for a time or for none: %j', (bound, time) => {
    expect(timeOfBound(bound, 1000)).toBe(time)
  })
})

describe('an ISO time', () => {
  it.each([0, 1, 999, 1000, 951_782_400_000, 1_357_000_000_123, 253_402_300_799_999])('reads back %d', (ms) => {
    expect(parseIsoTime(formatIsoTime(ms))).toBe(ms)
  })

  it('past the year 9999 is written in epoch ms', () => {
    expect(formatIsoTime(253_402_300_800_000)).toBe('@253402300800000')
  })

  it('of the first century is not one of the twentieth', () => {
    expect(parseIsoTime('0050-01-01')).toBe(Date.parse('0050-01-01T00:00:00Z'))
  })
})
