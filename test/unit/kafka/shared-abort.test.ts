import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { sharedAbort } from '../../../src/adapters/kafka/connection/shared-abort.ts'

it('a hundred partitions that pause at a time are told of no leak', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  try {
    for (const { signal } of [new AbortController(), sharedAbort()]) {
      for (let partition = 0; partition < 100; partition++) signal.addEventListener('abort', () => {})
      await setImmediate()
      warnings.push('and then')
    }
  } finally {
    process.off('warning', onWarning)
  }
  expect(warnings).toEqual(['MaxListenersExceededWarning', 'and then', 'and then'])
})
