import {
  type Forward,
  job,
  json,
  keyValueStore,
  type ProcessorContext,
  sessionStore,
  string,
  timestampedKeyValueStore,
  timestampedWindowStore,
  topic,
  versionedStore,
  windowStore,
} from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut } from '../runtime-task/topics.ts'

const numbers = topic('numbers', { key: string(), value: json<number>() })
const int = json<number>()
const HOUR = 3_600_000

/** Pipes one record into a processor, and gives what it forwarded. */
function once(init: (context: ProcessorContext<object>, forward: Forward<string, number>) => () => void) {
  const piped = new PipedJob(({ stream }) => stream(numbers).process('p', init).to(anyOut))
  return () => piped.pipe(numbers, { key: 'a', value: 1, at: 5 })
}

describe('the stores of a processor', () => {
  it('key-value: reads what it has written, in the order of keys', () => {
    const seen: unknown[] = []
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).process('p', { stores: { sums: keyValueStore(string(), int) } }, ({ stores: { sums } }) => {
        return ({ key, value }) => {
          if (value < 0) seen.push(sums.delete(key), sums.get(key))
          else sums.put(key, value)
          seen.push([...sums.all()], [...sums.range('b', 'c')], [...sums.range(null, 'a')])
          seen.push(sums.putIfAbsent('z', 1), sums.putIfAbsent('z', 2))
          sums.put('z', null)
        }
      })
    })
    for (const [key, value] of [
      ['c', 3],
      ['a', 1],
      ['b', 2],
    ] as const)
      piped.pipe(numbers, { key, value })
    expect(seen.slice(-5)).toEqual([
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
      [
        ['b', 2],
        ['c', 3],
      ],
      [['a', 1]],
      null,
      1,
    ])
    seen.length = 0
    piped.pipe(numbers, { key: 'b', value: -1 })
    expect(seen.slice(0, 3)).toEqual([
      2,
      null,
      [
        ['a', 1],
        ['c', 3],
      ],
    ])
    expect(piped.store('sums')).toEqual([
      ['a', 1],
      ['c', 3],
    ])
  })

  it('key-value: entries may be changed while they are gone through', () => {
    const piped = new PipedJob(
      ({ stream }) => {
        stream(numbers).process('p', { stores: { left: keyValueStore(string(), int) } }, ({ stores: { left } }) => {
          return ({ key, value }) => {
            left.put(key, value)
            if (key !== 'end') return
            for (const [each, number] of left.all()) {
              if (number % 2 === 0) left.delete(each)
              else left.put(each, number * 10)
            }
          }
        })
      },
      1,
      2,
    )
    for (let number = 0; number < 300; number++) {
      piped.pipe(numbers, { key: `k${String(number).padStart(3, '0')}`, value: number })
    }
    piped.pipe(numbers, { key: 'end', value: 1 })
    expect(piped.store('left')).toHaveLength(151)
    expect(piped.store('left')?.at(-1)).toEqual(['k299', 2990])
  })

  it('timestamped: keep the times that they are given', () => {
    const seen: unknown[] = []
    const piped = new PipedJob(({ stream }) => {
      const stores = { last: timestampedKeyValueStore(string(), int) }
      stream(numbers).process('p', { stores }, ({ stores: { last } }) => ({ key, value, timestamp }) => {
        seen.push(last.get(key))
        last.put(key, value, timestamp + 1)
        seen.push([...last.all()])
      })
    })
    piped.pipe(numbers, { key: 'a', value: 1, at: 10 })
    piped.pipe(numbers, { key: 'a', value: 2, at: 20 })
    expect(seen).toEqual([
      null,
      [['a', { value: 1, timestamp: 11 }]],
      { value: 1, timestamp: 11 },
      [['a', { value: 2, timestamp: 21 }]],
    ])
  })

  it('windows: found by key and by start, gone when retention has passed', () => {
    const seen: unknown[] = []
    const stores = {
      recent: windowStore(string(), int, { size: 10, retention: 100 }),
      stamped: timestampedWindowStore(string(), int, { size: 10, retention: 100 }),
    }
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).process('p', { stores }, ({ stores: { recent, stamped } }) => ({ key, value, timestamp }) => {
        recent.put(key, value, timestamp)
        stamped.put(key, value, timestamp, timestamp * 2)
        seen.push([recent.fetch(key, timestamp), recent.fetch(key, 0)])
        seen.push([...recent.fetch(key, 10, 20)], [...recent.fetchAll(0, 10)], [...recent.all()].length)
        seen.push(stamped.fetch(key, 10))
      })
    })
    piped.pipe(numbers, { key: 'a', value: 1, at: 10 })
    piped.pipe(numbers, { key: 'b', value: 2, at: 10 })
    piped.pipe(numbers, { key: 'a', value: 3, at: 20 })
    expect(seen.slice(-5)).toEqual([
      [3, null],
      [
        [10, 1],
        [20, 3],
      ],
      [
        [{ key: 'a', start: 10, end: 20 }, 1],
        [{ key: 'b', start: 10, end: 20 }, 2],
      ],
      3,
      { value: 1, timestamp: 20 },
    ])
    piped.pipe(numbers, { key: 'a', value: 4, at: 111 })
    expect(seen.slice(-4)).toEqual([[[20, 3]], [], 2, null])
    piped.pipe(numbers, { key: 'a', value: 5, at: 11 })
    expect(piped.counts.p).toEqual({ skipped: { expired: 2 } })
    expect(piped.store('recent')).toEqual([
      ['a', 3, 20],
      ['a', 4, 111],
    ])
  })

  it('sessions: found by what they touch', () => {
    const seen: unknown[] = []
    const stores = { visits: sessionStore(string(), int, { retention: '1h' }) }
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).process('p', { stores }, ({ stores: { visits } }) => ({ key, value, timestamp }) => {
        const near = [...visits.findSessions(key, timestamp - 5, timestamp + 5)]
        for (const [session] of near) visits.remove(session)
        const starts = near.map(([{ start }]) => start)
        const [start, end] = [
          Math.min(timestamp, ...starts),
          Math.max(timestamp, ...near.map(([session]) => session.end)),
        ]
        visits.put(
          { key, start, end },
          near.reduce((sum, [, one]) => sum + one, value),
        )
        seen.push([...visits.fetch(key)], visits.fetchSession(key, start, end))
      })
    })
    for (const at of [10, 30, 15, 33, 20, 25]) piped.pipe(numbers, { key: 'a', value: 1, at })
    expect(seen.slice(-2)).toEqual([[[{ key: 'a', start: 10, end: 33 }, 6]], 6])
    expect(piped.store('visits')).toEqual([['a', 6, 10]])
  })

  it('versions: tell what was valid when', () => {
    const seen: unknown[] = []
    const stores = { prices: versionedStore(string(), int, { historyRetention: '1h' }) }
    const piped = new PipedJob(({ stream }) => {
      stream(numbers).process('p', { stores }, ({ stores: { prices } }) => ({ key, value, timestamp }) => {
        seen.push(prices.put(key, value === 0 ? null : value, timestamp))
        seen.push(prices.get(key), prices.get(key, 15))
      })
    })
    piped.pipe(numbers, { key: 'a', value: 1, at: 10 })
    piped.pipe(numbers, { key: 'a', value: 2, at: 20 })
    expect(seen.slice(-3)).toEqual([true, { value: 2, timestamp: 20 }, { value: 1, timestamp: 10 }])
    piped.pipe(numbers, { key: 'a', value: 0, at: 2 * HOUR })
    expect(seen.slice(-3)).toEqual([true, null, null])
    piped.pipe(numbers, { key: 'a', value: 3, at: 1 })
    expect(seen.slice(-3)).toEqual([false, null, null])
    expect(piped.store('prices')).toEqual([])
    expect(piped.store('prices-history')).toContainEqual(['a', 2, 20])
  })
})

describe('forwarding', () => {
  it('keeps time and headers unless told otherwise, and the next step sees what the processor did before', () => {
    const headers = [['h', Buffer.from('1')]] as const
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .process('p', (context, forward: Forward<string, unknown>) => (record) => {
          forward({ key: 'same', value: context.origin() })
          forward({ key: 'other', value: record.value, timestamp: 99, headers: [] })
          forward(record)
        })
        .to(anyOut)
    })
    piped.pipe(numbers, { key: 'a', value: 1, at: 5, headers })
    const out = piped.raw.map(({ key, value, headers }) => [key, value, headers.length])
    expect(out).toEqual([
      ['"same"', '{"topic":"numbers","partition":0,"offset":0}', 1],
      ['"other"', '1', 0],
      ['"a"', '1', 1],
    ])
  })

  it('of values keeps the key, and its bytes', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .processValues('p', { value: int }, (_, forward) => ({ value }) => {
          forward({ value })
          forward({ value: value * 10, timestamp: 7 })
        })
        .groupByKey()
        .count('n')
        .toStream()
        .to(anyOut)
    })
    expect(piped.job.topology.nodes.some(({ kind }) => kind === 'exchange')).toBe(false)
    expect(piped.pipe(numbers, { key: 'a', value: 1, at: 5 })).toEqual([
      { topic: 'out', key: 'a', value: 1, at: 5 },
      { topic: 'out', key: 'a', value: 2, at: 7 },
    ])
  })

  it.each([
    [
      'forwards undefined',
      once((_, forward) => () => forward({ key: 'a', value: undefined } as never)),
      /value\) gave undefined/,
    ],
    [
      'forwards a time before 0',
      once((_, forward) => () => forward({ key: 'a', value: 1, timestamp: -1 } as never)),
      /the time -1$/,
    ],
    [
      'forwards while it is made',
      once((_, forward) => {
        forward({ key: 'a', value: 1 } as never)
        return () => {}
      }),
      /outside of process/,
    ],
    ['is asynchronous', once(() => (async () => {}) as never), /the processor gave a promise/],
    ['is no function', once(() => undefined as never), /p is no function/],
    [
      'throws',
      once(() => () => {
        throw new RangeError('no')
      }),
      /'p' .*failed: RangeError: no/,
    ],
    [
      'throws while it is made',
      once(() => {
        throw new RangeError('no')
      }),
      /'p' .*failed: RangeError: no/,
    ],
    [
      'schedules too late',
      once(
        ({ schedule }) =>
          () =>
            void schedule('1m', 'stream-time', () => {}),
      ),
      /schedules a punctuation while it processes/,
    ],
    [
      'schedules without interval',
      once(({ schedule }) => {
        schedule(0, 'stream-time', () => {})
        return () => {}
      }),
      /without an interval/,
    ],
  ])('a processor that %s is at fault', (_, act, message) => {
    expect(act).toThrowError(
      expect.objectContaining({
        code: 'USER_CODE_FAILED',
        message: expect.stringMatching(message),
        at: expect.objectContaining({ step: 'p' }),
      }),
    )
  })
})

describe('punctuation by stream time', () => {
  const ticking = (fired: number[]) =>
    new PipedJob(({ stream }) => {
      stream(numbers).process('p', ({ schedule, streamTime }) => {
        schedule(10, 'stream-time', (time) => {
          expect(time).toBe(streamTime())
          fired.push(time)
        })
        return () => {}
      })
    })

  it('fires after the first record, once for whatever was missed, and stays on the grid', () => {
    const fired: number[] = []
    const piped = ticking(fired)
    for (const at of [3, 9, 10, 11, 57, 58, 60, 5]) piped.pipe(numbers, { key: 'a', value: 1, at })
    expect(fired).toEqual([3, 10, 57, 60])
  })

  it('is moved by every record of its task, and by the end of a range that says so', () => {
    const fired: number[] = []
    const piped = ticking(fired)
    piped.pipe(numbers, { key: 'a', value: 1, at: 3 })
    piped.processor.advanceTime(25)
    piped.processor.advanceTime(29)
    expect(fired).toEqual([3, 25])
  })

  it('sees no record, and what it forwards has its time', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .process('p', (context, forward: Forward<string, unknown>) => {
          context.schedule(10, 'stream-time', () => forward({ key: 'tick', value: { origin: context.origin() } }))
          return forward
        })
        .to(anyOut)
    })
    const headers = [['h', Buffer.from('1')]] as const
    expect(piped.pipe(numbers, { key: 'a', value: 1, at: 42, headers })).toEqual([
      { topic: 'out', key: 'a', value: 1, at: 42 },
      { topic: 'out', key: 'tick', value: { origin: null }, at: 42 },
    ])
    expect(piped.raw.map((record) => record.headers.length)).toEqual([1, 0])
  })
})

it('punctuation by wall clock fires at the end of a run, by its recorded clock, once for whatever was missed', async () => {
  const beats = topic('beats', { key: string(), value: json<number>() })
  const beating = job('beating', {}, ({ stream }) => {
    stream(numbers)
      .process('p', ({ schedule, now }, forward: Forward<string, number>) => {
        const clock = schedule('10m', 'wall-clock', (time) => {
          forward({ key: 'beat', value: time })
          if (time >= 5 * HOUR) clock.cancel()
        })
        return () => void now()
      })
      .to(beats)
  })
  const driver = await TestDriver.create(beating, { now: HOUR })
  const beatsAfter = async (minutes: number, record = false) => {
    driver.clock.advance(minutes * 60_000)
    if (record) await driver.pipe(numbers, { key: 'a', value: 1, timestamp: 1 })
    await driver.endRange()
    return (await driver.read(beats)).map(({ value, timestamp }) => [value, timestamp])
  }
  expect(await beatsAfter(0, true)).toEqual([])
  expect(await beatsAfter(9, true)).toEqual([])
  const first = HOUR + 12 * 60_000
  expect(await beatsAfter(3)).toEqual([[first, first]])
  const second = HOUR + 52 * 60_000
  expect(await beatsAfter(40)).toEqual([[second, second]])
  expect(await beatsAfter(7)).toEqual([])
  expect(await beatsAfter(300)).toHaveLength(1)
  expect(await beatsAfter(300)).toEqual([])
})
