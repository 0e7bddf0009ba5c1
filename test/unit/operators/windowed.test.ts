import { hopping, json, mean, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, numbers } from '../runtime-task/topics.ts'

const finals = (windows: ReturnType<typeof tumbling>) =>
  new PipedJob(({ stream }) => {
    stream(numbers).groupByKey().windowedBy(windows).count('counts', { emit: 'on-window-close' }).toStream().to(anyOut)
  })

const starts = (emitted: readonly { key: unknown }[]) => emitted.map(({ key }) => (key as { start: number }).start)

describe('a window that emits when it closes', () => {
  it('is not lost where time jumps past its retention', () => {
    const piped = finals(tumbling(10, { retention: 10 }))
    piped.pipe(numbers, { key: 'a', value: 1, at: 5 })
    expect(piped.pipe(numbers, { key: 'a', value: 1, at: 1_000_000 })).toEqual([
      { topic: 'out', key: { key: 'a', start: 0, end: 10 }, value: 1, at: 5 },
    ])
  })

  it('goes out with the others by start, then key bytes', () => {
    const piped = finals(hopping(10, { advance: 5 }))
    for (const [key, at] of [
      ['b', 12],
      ['a', 11],
      ['é', 11],
      ['a', 16],
    ] as const)
      piped.pipe(numbers, { key, value: 1, at })
    expect(piped.pipe(numbers, { key: 'z', value: 1, at: 100 }).map(({ key }) => key)).toEqual([
      { key: 'a', start: 10, end: 20 },
      { key: 'b', start: 10, end: 20 },
      { key: 'é', start: 10, end: 20 },
      { key: 'a', start: 15, end: 25 },
    ])
  })

  it('goes out once, in whatever steps time moves', () => {
    for (const step of [1, 3, 7, 10, 11, 40]) {
      const piped = finals(tumbling(10, { grace: 4 }))
      const emitted: number[] = []
      for (let at = 0; at < 200; at += step) {
        emitted.push(...starts(piped.pipe(numbers, { key: 'a', value: 1, at })))
        if (at % 2 === 0) piped.restart()
      }
      piped.processor.closeWindows()
      emitted.push(...starts(piped.emitted()))
      const expected = new Set<number>()
      for (let at = 0; at < 200; at += step) expected.add(Math.floor(at / 10) * 10)
      expect(emitted).toEqual([...expected])
    }
  })
})

describe('retention', () => {
  it('hides and removes windows that are older than the newest ever put less the retention', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .windowedBy(tumbling(10, { retention: 20 }))
        .count('counts')
    })
    for (const at of [0, 10, 20]) piped.pipe(numbers, { key: 'a', value: 1, at })
    expect(piped.store('counts').map(([, , start]) => start)).toEqual([10, 20])
    piped.restart()
    expect(piped.store('counts').map(([, , start]) => start)).toEqual([10, 20])
    piped.pipe(numbers, { key: 'a', value: 1, at: 30 })
    expect(piped.store('counts').map(([, , start]) => start)).toEqual([20, 30])
  })

  it('goes by the newest window ever put, though that one was deleted and the run ended', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .windowedBy(tumbling(10, { grace: 10, retention: 20 }))
        .reduce('last', (_, v) => (v === 0 ? null : v))
    })
    piped.pipe(numbers, { key: 'a', value: 1, at: 10 })
    piped.pipe(numbers, { key: 'a', value: 2, at: 30 })
    piped.pipe(numbers, { key: 'a', value: 0, at: 30 })
    expect(piped.store('last')).toEqual([])
    piped.restart()
    expect(piped.processor.streamTimes()).toEqual({ 'last/0': 30, 'last/newest-window/0': 30 })
  })

  it('is kept for each task by itself', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .windowedBy(tumbling(10, { retention: 20 }))
        .count('counts')
    })
    piped.pipe(numbers, { key: 'a', value: 1, at: 0, partition: 0 })
    piped.pipe(numbers, { key: 'b', value: 1, at: 1000, partition: 1 })
    expect(piped.store('counts').map(([key]) => key)).toEqual(['a', 'b'])
  })
})

describe('the result of an aggregate', () => {
  it('is what the table shows, with the plain key; the store keeps the accumulator', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .windowedBy(tumbling(10))
        .aggregate('sums', {
          init: () => 0,
          add: (sum: number, v) => sum + (v ?? 0),
          result: (sum, key) => `${key}=${sum}`,
          serde: json<number>(),
        })
        .toStream()
        .to(anyOut)
    })
    expect(piped.pipe(numbers, { key: 'a', value: 4, at: 1 }).map(({ value }) => value)).toEqual(['a=4'])
    expect(piped.views.sizes({})).toEqual({ sums: 0 })
    piped.views.flush()
    const row = piped.file.table({ name: 'sums', shape: 'window', format: '' }).get('a', 0, 0)
    expect(Buffer.from(row?.value ?? []).toString('utf8')).toBe('4')
  })

  it('null is a tombstone', () => {
    const piped = new PipedJob(({ stream }) => {
      stream(numbers)
        .groupByKey()
        .aggregate(
          'means',
          mean((v) => (v < 0 ? null : v)),
        )
        .toStream()
        .to(anyOut)
    })
    expect(piped.pipe(numbers, { key: 'a', value: -1 }).map(({ value }) => value)).toEqual([null])
    expect(piped.pipe(numbers, { key: 'a', value: 3 }).map(({ value }) => value)).toEqual([3])
    expect(piped.store('means')).toEqual([['a', 3]])
  })
})
