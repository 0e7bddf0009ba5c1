import { getMaxListeners } from 'node:events'
import { expect, it } from 'vitest'
import { sharedAbort } from '../../../src/adapters/kafka/connection/shared-abort.ts'

it('a signal that many partitions wait on takes as many listeners, and a new one does too', () => {
  const [first, second] = [sharedAbort(), sharedAbort()]
  expect(getMaxListeners(first.signal)).toBe(0)
  expect(getMaxListeners(second.signal)).toBe(0)
})
