import { type Job, job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { MemoryTransaction } from '../../../src/adapters/memory/log-transaction.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { IN, Site } from './support/site.ts'

const copying = (waitForTransactions?: string): Job =>
  job('j', waitForTransactions === undefined ? {} : { waitForTransactions }, ({ stream }) => {
    stream(IN).groupByKey().count('counts')
  })

/** `a`, then `b` of a transaction that is open, then `c`. */
async function held() {
  const site = await Site.with('a')
  const transaction = new MemoryTransaction(site.cluster)
  const at = { topic: IN.name, partition: 0 }
  transaction.append([batchOf(at, [record('b', '1')])])
  await site.write('c')
  let slept = 0
  /** The clock's sleeps, told before time passes. */
  const sleeping = (onSleep: (total: number) => void) => ({
    change: (env: Environment): Environment => ({
      ...env,
      clock: {
        now: () => env.clock.now(),
        monotonic: () => env.clock.monotonic(),
        yield: () => env.clock.yield(),
        sleep: async (ms) => {
          slept += ms
          onSleep(slept)
          await env.clock.sleep(ms)
        },
      },
    }),
  })
  return { site, transaction, sleeping, slept: () => slept }
}

describe('input that an open transaction holds back', () => {
  it('is not waited for unless that is asked', async () => {
    const { site, sleeping, slept } = await held()
    expect(
      await site.run(
        copying(),
        {},
        sleeping(() => {}),
      ),
    ).toMatchObject([{ records: 1, heldBack: 2 }])
    expect(slept()).toBe(0)
  })

  it.each(['commit', 'abort'] as const)('is read by the run that waits for its %s', async (end) => {
    const { site, transaction, sleeping, slept } = await held()
    const ending = sleeping((total) => {
      if (total > 5000) transaction[end]()
    })
    const runs = await site.run(copying(), { waitForTransactionsMs: 60_000 }, ending)
    expect(runs).toMatchObject([{ records: end === 'commit' ? 3 : 2, heldBack: 0 }])
    expect(slept()).toBeLessThan(10_000)
  })

  it('is left to the next run when the time that the job has for it is over', async () => {
    const { site, transaction, sleeping, slept } = await held()
    expect(
      await site.run(
        copying('7s'),
        {},
        sleeping(() => {}),
      ),
    ).toMatchObject([{ records: 1, heldBack: 2 }])
    expect(slept()).toBe(7000)
    transaction.commit()
    expect(
      await site.run(
        copying('7s'),
        {},
        sleeping(() => {}),
      ),
    ).toMatchObject([{ records: 2, heldBack: 0 }])
    expect(slept()).toBe(7000)
  })

  it('is not waited for where the end that was asked lies before it, nor past what was there at the beginning', async () => {
    const { site, transaction, sleeping, slept } = await held()
    expect(
      await site.run(
        copying('7s'),
        { to: '1' },
        sleeping(() => {}),
      ),
    ).toMatchObject([{ records: 1, heldBack: 0 }])
    expect(slept()).toBe(0)
    const next = new MemoryTransaction(site.cluster)
    let replaced = false
    const replacing = sleeping(() => {
      if (replaced) return
      replaced = true
      next.append([batchOf({ topic: IN.name, partition: 0 }, [record('d', '1')])])
      transaction.commit()
    })
    expect(await site.run(copying('7s'), {}, replacing)).toMatchObject([{ records: 2, heldBack: 2 }])
    expect(slept()).toBeLessThan(100)
  })

  it('is not waited for any longer by a run that is asked to stop', async () => {
    const { site, sleeping, slept } = await held()
    const stop = {
      get asked() {
        return slept() > 1000 ? ('slice' as const) : null
      },
      code: 'TERMINATED' as const,
    }
    await site
      .outcome(
        copying('1h'),
        { stop },
        sleeping(() => {}),
      )
      .catch(() => {})
    expect(slept()).toBeLessThan(5000)
  })
})
