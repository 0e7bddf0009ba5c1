import {
  calendar,
  hopping,
  type JobBuilder,
  session,
  sliding,
  tumbling,
  untilTimeLimit,
  untilWindowCloses,
} from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, numbers } from '../runtime-task/topics.ts'

type Windows = ReturnType<typeof tumbling> | ReturnType<typeof sliding> | ReturnType<typeof calendar>

const counted = (
  { stream }: JobBuilder,
  windows: Windows,
  emit: 'on-update' | 'on-window-close' = 'on-window-close',
) => {
  const grouped = stream(numbers).groupByKey()
  return (windows.kind === 'sliding' ? grouped.windowedBy(windows) : grouped.windowedBy(windows)).count('counts', {
    emit,
  })
}

/** A job whose windows have the one record `a @at`. */
function withRecord(build: (builder: JobBuilder) => void, at: number): PipedJob {
  const piped = new PipedJob(build)
  piped.pipe(numbers, { key: 'a', value: 1, at })
  return piped
}

const sessions = (emit: 'on-update' | 'on-window-close') => (builder: JobBuilder) => {
  const windows = session(10, { grace: 5 })
  builder.stream(numbers).groupByKey().windowedBy(windows).count('counts', { emit }).toStream().to(anyOut)
}

describe.each([
  [
    'tumbling',
    (b: JobBuilder) =>
      counted(b, tumbling(10, { grace: 5 }))
        .toStream()
        .to(anyOut),
    20,
    30 + 5,
  ],
  [
    'hopping',
    (b: JobBuilder) =>
      counted(b, hopping(10, { advance: 5, grace: 5 }))
        .toStream()
        .to(anyOut),
    24,
    30 + 5,
  ],
  [
    'sliding',
    (b: JobBuilder) =>
      counted(b, sliding(10, { grace: 5 }))
        .toStream()
        .to(anyOut),
    20,
    20 + 5 + 1,
  ],
  ['session', sessions('on-window-close'), 20, 20 + 10 + 5 + 1],
  [
    'calendar',
    (b: JobBuilder) =>
      counted(b, calendar('day', { zone: 'UTC', grace: 5 }))
        .toStream()
        .to(anyOut),
    20,
    86_400_000 + 5,
  ],
] as const)('%s windows that emit when they close', (_, build, at, close) => {
  const last = (piped: PipedJob) => piped.emitted().at(-1)

  it('are out once stream time has come to the time that closes them, and not before', () => {
    const early = withRecord(build, at)
    early.processor.advanceTime(close - 1)
    const before = early.emitted().length
    early.processor.advanceTime(close)
    expect(early.emitted()).toHaveLength(1)
    const byRecord = withRecord(build, at)
    expect(byRecord.pipe(numbers, { key: 'z', value: 1, at: close - 1 })).toHaveLength(before)
    expect(byRecord.pipe(numbers, { key: 'z', value: 1, at: close }).at(0)).toMatchObject({
      key: { key: 'a' },
      value: 1,
    })
  })

  it('close on request, by moving stream time just so far, once', () => {
    const piped = withRecord(build, at)
    piped.restart()
    piped.processor.closeWindows()
    expect(last(piped)).toMatchObject({ key: { key: 'a' }, value: 1 })
    expect(piped.processor.streamTimes()['counts/0']).toBe(close)
    piped.restart()
    piped.processor.closeWindows()
    expect(piped.emitted()).toEqual([])
  })
})

describe('no retention, however short, loses a final result', () => {
  it.each([
    [
      'sliding',
      (b: JobBuilder) =>
        counted(b, sliding(10, { grace: 5, retention: 25 }))
          .toStream()
          .to(anyOut),
      26,
    ],
    [
      'sessions',
      ({ stream }: JobBuilder) =>
        stream(numbers)
          .groupByKey()
          .windowedBy(session(10, { grace: 5, retention: 15 }))
          .count('counts', { emit: 'on-window-close' })
          .toStream()
          .to(anyOut),
      36,
    ],
  ])('%s', (_, build, close) => {
    const near = withRecord(build, 20)
    expect(near.pipe(numbers, { key: 'z', value: 1, at: close - 1 })).toEqual([])
    expect(near.pipe(numbers, { key: 'z', value: 1, at: close })).toMatchObject([{ key: { key: 'a' } }])
    const far = withRecord(build, 20)
    expect(far.pipe(numbers, { key: 'z', value: 1, at: 1_000_000 })).toMatchObject([{ key: { key: 'a' } }])
  })
})

describe('suppression', () => {
  const final = (b: JobBuilder) =>
    counted(b, tumbling(10, { grace: 5 }), 'on-update')
      .suppress('final', untilWindowCloses())
      .toStream()
      .to(anyOut)
  const quiet = ({ stream }: JobBuilder) =>
    stream(numbers).toTable('rows').suppress('quiet', untilTimeLimit(10)).toStream().to(anyOut)

  it('goes with its windows at the end of a range', () => {
    const piped = withRecord(final, 20)
    piped.restart()
    piped.processor.advanceTime(34)
    expect(piped.emitted()).toEqual([])
    piped.processor.advanceTime(35)
    expect(piped.emitted()).toMatchObject([{ key: { key: 'a', start: 20, end: 30 }, value: 1, at: 20 }])
    const closed = withRecord(final, 20)
    closed.processor.closeWindows()
    expect(closed.emitted()).toMatchObject([{ key: { key: 'a', start: 20, end: 30 }, value: 1, at: 20 }])
    closed.processor.closeWindows()
    expect(closed.emitted()).toEqual([])
  })

  it('until a time limit is let out by time, and by no closing of windows', () => {
    const piped = withRecord(quiet, 20)
    piped.processor.closeWindows()
    expect(piped.emitted()).toEqual([])
    piped.restart()
    piped.processor.advanceTime(29)
    expect(piped.emitted()).toEqual([])
    piped.processor.advanceTime(30)
    expect(piped.emitted()).toEqual([{ topic: 'out', key: 'a', value: 1, at: 20 }])
  })

  it('lets out the last change with its own headers, and shows what it holds back', () => {
    const piped = new PipedJob(quiet)
    const headers = (text: string) => [['h', Buffer.from(text)]] as const
    piped.pipe(numbers, { key: 'a', value: 1, at: 5, headers: headers('one') })
    piped.pipe(numbers, { key: 'a', value: 2, at: 7, headers: headers('two') })
    expect(piped.store('quiet')).toEqual([['a', 2]])
    piped.restart()
    piped.pipe(numbers, { key: 'b', value: 3, at: 15, headers: headers('three') })
    const out = piped.raw.map(({ key, value, headers }) => [
      key,
      value,
      headers.map(([, bytes]) => Buffer.from(bytes ?? []).toString()),
    ])
    expect(out).toEqual([['"a"', '2', ['two']]])
    expect(piped.store('quiet')).toEqual([['b', 3]])
  })

  it('holds back deletes for a time, and shows them as none', () => {
    const piped = new PipedJob(quiet)
    piped.pipe(numbers, { key: 'a', value: 1, at: 5 })
    piped.pipe(numbers, { key: 'a', value: null, at: 6 })
    expect(piped.store('quiet')).toEqual([['a', null]])
    expect(piped.pipe(numbers, { key: 'b', value: 1, at: 15 })).toEqual([
      { topic: 'out', key: 'a', value: null, at: 6 },
    ])
  })

  it('is what a join sees of the table: a row that is held back is as it was', () => {
    const clicks = { ...numbers, name: 'clicks' }
    const piped = new PipedJob(({ stream, table }) => {
      const rows = table(numbers, 'rows').suppress('quiet', untilTimeLimit(10))
      stream(clicks)
        .leftJoin(rows, (_, row) => row)
        .to(anyOut)
    })
    const seen = (at: number) => piped.pipe(clicks, { key: 'a', value: 0, at }).map(({ value }) => value)
    piped.pipe(numbers, { key: 'a', value: 1, at: 0 })
    expect(seen(1)).toEqual([null])
    piped.pipe(numbers, { key: 'b', value: 9, at: 10 })
    expect(seen(11)).toEqual([1])
    piped.pipe(numbers, { key: 'a', value: 2, at: 12 })
    piped.pipe(numbers, { key: 'a', value: 3, at: 13 })
    expect(seen(14)).toEqual([1])
    piped.pipe(numbers, { key: 'b', value: 9, at: 30 })
    expect(seen(31)).toEqual([3])
  })

  it('fails where more is held back than may be, unless it may let some out', () => {
    const strict = new PipedJob((b) =>
      counted(b, tumbling(10), 'on-update')
        .suppress('final', untilWindowCloses({ maxRecords: 2 }))
        .toStream()
        .to(anyOut),
    )
    strict.pipe(numbers, { key: 'a', value: 1, at: 1 })
    strict.pipe(numbers, { key: 'b', value: 1, at: 1 })
    strict.pipe(numbers, { key: 'b', value: 1, at: 2 })
    strict.restart()
    expect(() => strict.pipe(numbers, { key: 'c', value: 1, at: 1 })).toThrowError(
      expect.objectContaining({ code: 'BUFFER_FULL', at: expect.objectContaining({ step: 'final' }) }),
    )
    const byBytes = new PipedJob(({ table }) =>
      table(numbers, 'rows')
        .suppress('quiet', untilTimeLimit(1000, { maxBytes: 45 }))
        .toStream()
        .to(anyOut),
    )
    const out = ['a', 'b', 'c', 'd'].map((key, at) => byBytes.pipe(numbers, { key, value: 1, at }).length)
    byBytes.restart()
    out.push(...['e', 'f'].map((key, at) => byBytes.pipe(numbers, { key, value: 1, at: 4 + at }).length))
    expect(out).toEqual([0, 0, 0, 1, 1, 1])
  })

  it('needs windows that close', () => {
    const build = () =>
      new PipedJob(({ table }) => {
        table(numbers, 'rows').suppress('final', untilWindowCloses() as never)
      })
    expect(build).toThrowError(
      expect.objectContaining({
        code: 'JOB_INVALID',
        message: expect.stringContaining('windows of final do not close'),
      }),
    )
  })
})
