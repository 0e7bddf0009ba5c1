import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { HistoryEvent } from '../../../src/ports/history.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import { BACKENDS, type Backend } from './backends.ts'
import { run, slice } from './samples.ts'

describe.each(BACKENDS)('the history of a state file (%s)', (_, make) => {
  let backend: Backend
  let file: StateFile
  beforeEach(() => {
    backend = make()
    file = backend.directory.open('orders', 'g1', { create: true })
  })
  afterEach(() => {
    file.close()
    backend.dispose()
  })

  it('gives a run as it was put', () => {
    const failed = run('run-1', {
      status: 'failed',
      finishedAt: 1_700_000_000_123,
      durationMs: 0.5,
      streamTime: -1,
      error: { code: 'BAD_DATA', message: 'no', hint: 'fix “it”' },
    })
    file.putRun(failed)
    expect(file.run('run-1')).toEqual(failed)
    expect(file.run('run-2')).toBeUndefined()
  })

  it('replaces a run, which keeps its place', () => {
    file.putRun(run('run-1'))
    file.putRun(run('run-2'))
    file.putRun(run('run-1', { status: 'done', slices: 3 }))
    expect(file.runs().map(({ runId, status }) => `${runId} ${status}`)).toEqual(['run-2 running', 'run-1 done'])
  })

  it('lists runs newest first, as many as asked', () => {
    for (const [runId, startedAt] of [
      ['b', 20],
      ['a', 10],
      ['d', 30],
      ['c', 30],
    ] as const)
      file.putRun(run(runId, { startedAt }))
    expect(file.runs().map(({ runId }) => runId)).toEqual(['c', 'd', 'b', 'a'])
    expect(file.runs(2).map(({ runId }) => runId)).toEqual(['c', 'd'])
    expect(file.runs(0)).toEqual([])
  })

  it('lists runs of one status, and keeps the newest, and those that run', () => {
    const all = [
      ['a', 'done'],
      ['b', 'running'],
      ['c', 'failed'],
      ['d', 'done'],
      ['e', 'done'],
    ] as const
    for (const [at, [runId, status]] of all.entries()) file.putRun(run(runId, { startedAt: at, status }))
    expect(file.runs(undefined, 'done').map(({ runId }) => runId)).toEqual(['e', 'd', 'a'])
    expect(file.runs(1, 'done').map(({ runId }) => runId)).toEqual(['e'])
    file.pruneRuns(2)
    expect(file.runs().map(({ runId }) => runId)).toEqual(['e', 'd', 'b'])
    file.pruneRuns(2)
    expect(file.runs()).toHaveLength(3)
  })

  it('numbers events as they come, and lists those after a number', () => {
    const event = (kind: HistoryEvent['kind'], runId: string | null): HistoryEvent => {
      return { kind, seq: 4, runId, at: 1_700_000_000_123, detail: { topic: 'in', at: [1, null, 'é'] } }
    }
    file.putEvents([event('gap', 'run-1'), event('skipped', null)])
    file.putEvents([])
    file.commit(slice(1))
    const events = file.events()
    expect(events.map(({ number, ...rest }) => rest)).toEqual([
      event('gap', 'run-1'),
      event('skipped', null),
      ...slice(1).events,
    ])
    const [first = 0, second = 0, third = 0] = events.map(({ number }) => number)
    expect(first).toBeGreaterThan(0)
    expect(second).toBeGreaterThan(first)
    expect(third).toBeGreaterThan(second)
    expect(file.events(first)).toEqual(events.slice(1))
    expect(file.events(third)).toEqual([])
    expect(file.events(first, 1)).toEqual(events.slice(1, 2))
  })

  it('replaces events in their places and removes others, and gives no number again', () => {
    const cut = (seq: number): HistoryEvent => ({ kind: 'cut', seq, runId: 'run-1', at: seq, detail: {} })
    file.putEvents([cut(1), cut(2), cut(3)])
    const [first, second, third] = file.events()
    if (first === undefined || second === undefined || third === undefined) throw new Error('three were put')
    const replaced = { ...second, at: 9, detail: { merged: 2 } }
    file.replaceEvents([replaced], [first.number, third.number])
    expect(file.events()).toEqual([replaced])
    file.putEvents([cut(4)])
    expect(file.events()[1]?.number).toBeGreaterThan(third.number)
  })
})
