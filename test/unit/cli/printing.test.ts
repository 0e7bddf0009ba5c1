import { expect, it } from 'vitest'
import { printing } from '../../../src/cli/output/printing.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'
import { testIo } from './test-io.ts'

it('a run that prints takes its turn again when its reader has taken what was printed', async () => {
  const lines: string[] = []
  let take = () => {}
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  const io = { ...testIo(), json: false, line: (text: string) => void lines.push(text), taken: () => taken }
  const { clock, print } = printing({ clock: new ManualClock(0) }, io)
  print?.('a line')
  let on = false
  const turn = clock.yield().then(() => {
    on = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect([lines, on]).toEqual([['a line'], false])
  take()
  await turn
  expect(on).toBe(true)
})

it('what a job prints beside one JSON document goes to stderr', () => {
  const io = testIo()
  printing({ clock: new ManualClock(0) }, io).print?.('a line')
  expect(io.notices).toEqual(['a line'])
})
