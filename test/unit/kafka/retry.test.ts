import { describe, expect, it } from 'vitest'
import { LinkFailure } from '../../../src/adapters/kafka/connection/link-failure.ts'
import { Retry } from '../../../src/adapters/kafka/connection/retry.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'

const FAILURE = new LinkFailure('broker:9092', 'it hung up')

/** The times of the attempts after each failure, until it is given up. */
async function attempts(clock: ManualClock, retry: Retry): Promise<number[]> {
  const times: number[] = []
  for (;;) {
    try {
      await retry.failed(FAILURE)
    } catch (error) {
      expect(error).toMatchObject({ code: 'LOG_UNREACHABLE', exit: 69, retryable: true, cause: FAILURE })
      expect(String(error)).toContain('broker:9092: it hung up')
      return times
    }
    times.push(clock.now())
  }
}

describe('Retry', () => {
  it('pauses twice as long each time, up to two seconds, and tries a last time at the bound', async () => {
    const clock = new ManualClock(0)
    expect(await attempts(clock, new Retry(clock, () => 8000))).toEqual([
      50, 150, 350, 750, 1550, 3150, 5150, 7150, 8000,
    ])
  })

  it('counts from the first failure, not from when it was made', async () => {
    const clock = new ManualClock(0)
    const retry = new Retry(clock, () => 100)
    clock.advance(5000)
    expect(await attempts(clock, retry)).toEqual([5050, 5100])
  })

  it('counts from the beginning where it is told to', async () => {
    const clock = new ManualClock(0)
    const retry = new Retry(clock, () => 100, clock.monotonic())
    clock.advance(80)
    expect(await attempts(clock, retry)).toEqual([100])
  })

  it('begins anew after a success, and takes the bound as it is then', async () => {
    const clock = new ManualClock(0)
    let bound = 1000
    const retry = new Retry(clock, () => bound)
    await retry.failed(FAILURE)
    await retry.failed(FAILURE)
    expect(retry.failures).toBe(2)
    retry.succeeded()
    expect(retry.failures).toBe(0)
    bound = 60
    clock.set(10_000)
    expect(await attempts(clock, retry)).toEqual([10_050, 10_060])
  })
})
