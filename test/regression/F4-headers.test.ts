import { bytes, job, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import type { Headers } from '../../src/core/headers.ts'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

const text = (name: string, value: string): [string, Uint8Array] => [name, Buffer.from(value)]
/** h=1, x=null, h=2, bin=00ff80, constructor=c, 10=a, 9=b */
const HEADERS: Headers = [
  text('h', '1'),
  ['x', null],
  text('h', '2'),
  ['bin', Buffer.from('00ff80', 'hex')],
  text('constructor', 'c'),
  text('10', 'a'),
  text('9', 'b'),
]
const inHex = (headers: Headers | undefined) =>
  headers?.map(([name, value]) => [name, value === null ? null : Buffer.from(value).toString('hex')])

describe.each(['memory', 'embedded'])('F4: headers (%s)', (world) => {
  const named = (name: string) => topic(name, { key: string(), value: bytes() })
  const input = named('in')
  const passing = job('passing', {}, ({ stream }) => {
    stream(input).to(named('as-it-is'))
    stream(input)
      .mapValues((value) => value)
      .to(named('mapped'))
    stream(input)
      .selectKey(() => 'other', string())
      .groupByKey()
      .count('counts')
  })

  it('pass through as they are: order, repeated names, nulls and bytes', async () => {
    const field = new Field(world)
    await field.topic('in')
    const record = { partition: 0, key: Buffer.from('k'), value: Buffer.from('v'), timestamp: 0 }
    await field.write('in', { ...record, offset: 0, headers: HEADERS }, { ...record, offset: 1 })
    await field.run(passing)
    for (const name of ['as-it-is', 'mapped']) {
      const [first, second] = await field.records(name)
      expect(inHex(first?.headers)).toEqual(inHex(HEADERS))
      expect(second?.headers).toEqual([])
    }
  })

  it('keys may be called as what every object has', async () => {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', '__proto__', 'constructor', '__proto__', 'toString')
    await field.run(counting())
    expect(field.store(counting(), 'counts')).toEqual(['__proto__=2', 'constructor=1', 'toString=1'])
    await field.write('in', '__proto__')
    await field.run(counting())
    expect(field.store(counting(), 'counts')).toEqual(['__proto__=3', 'constructor=1', 'toString=1'])
  })
})
