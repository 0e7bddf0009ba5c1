import { expect, it } from 'vitest'
import type { Progress } from '../../../src/cli/output/progress.ts'
import { runProgress } from '../../../src/cli/run-progress.ts'

it('shows a restore as a bar of its own, which goes when all is read', async () => {
  const shown: string[] = []
  const bar: Progress = { update: (done) => void shown.push(`at ${done}`), stop: () => void shown.push('gone') }
  const progress = runProgress({
    progress: async (total) => {
      shown.push(`of ${total}`)
      return bar
    },
  })
  progress.restore(0, 0)
  expect(shown).toEqual([])
  progress.restore(0, 30)
  await Promise.resolve()
  progress.restore(10, 30)
  progress.restore(30, 30)
  expect(shown).toEqual(['of 30', 'at 10', 'at 30', 'gone'])
})
