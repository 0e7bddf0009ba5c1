import { json, keyValueStore, string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { PipedJob } from './piped-job.ts'
import { anyOut, numbers } from './topics.ts'

const int = json<number>()

describe('values of a table that a transformer makes', () => {
  /** How often a key has changed, while it is there. */
  const counted = () =>
    new PipedJob(({ table }) => {
      const stores = { seen: keyValueStore(string(), int) }
      const changes = table(numbers).transformValues('changes', { value: int, stores }, ({ stores: { seen } }) => {
        return (value, key) => {
          const changed = (seen.get(key) ?? 0) + 1
          seen.put(key, changed)
          return value === null ? null : changed
        }
      })
      changes.toStream().to(anyOut)
      changes.groupBy((changed, key) => [changed > 1 ? 'changed' : 'new', key], string()).count('groups')
    })

  it.each([false, true])('are kept and sent on, each with its time, deletes too (restarts: %s)', (restarts) => {
    const piped = counted()
    const outs = [
      { value: 5, at: 10 },
      { value: 5, at: 20 },
      { value: null, at: 15 },
      { value: null, at: 16 },
      { value: 7, at: 30 },
    ].map(({ value, at }) => {
      if (restarts) piped.restart()
      return piped.pipe(numbers, { key: 'k', value, at }).map((out) => [out.key, out.value, out.at])
    })
    expect(outs).toEqual([[['k', 1, 10]], [['k', 2, 20]], [['k', null, 15]], [['k', null, 16]], [['k', 5, 30]]])
    expect(piped.store('changes')).toEqual([['k', 5]])
    expect(piped.store('seen')).toEqual([['k', 5]])
    expect(piped.store('groups')).toEqual([
      ['changed', 1],
      ['new', 0],
    ])
  })

  it('have one step of their name, and a processor below it', () => {
    const { topology } = counted().job
    expect(topology.nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(['changes', 'changes:process']))
  })

  it('are no undefined ones', () => {
    const piped = new PipedJob(({ table }) => {
      table(numbers).transformValues('t', { value: int }, () => (value) => (value === 1 ? value : (undefined as never)))
    })
    piped.pipe(numbers, { key: 'k', value: 1 })
    expect(() => piped.pipe(numbers, { key: 'k', value: 2 })).toThrow(/undefined/)
  })
})
