import { expect, it } from 'vitest'
import { stopOnSignal } from '../../../src/cli/stop-on-signal.ts'
import { TidemarkError } from '../../../src/core/errors.ts'

it('a signal asks a run to stop behind its slice, and wakes one that waits', () => {
  const controller = new AbortController()
  const stop = stopOnSignal(controller.signal)
  expect(stop.asked).toBeNull()
  let woken = false
  stop.signal?.addEventListener('abort', () => {
    woken = true
  })
  controller.abort(new TidemarkError('TERMINATED', 'stopped by SIGTERM'))
  expect(stop).toMatchObject({ asked: 'slice', code: 'TERMINATED' })
  expect(woken).toBe(true)
})
