import { describe, expect, it } from 'vitest'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'
import { withFetches } from './support/odd-log.ts'

describe.each(['memory', 'embedded'])('A13: a run ends where its plan ends (%s)', (world) => {
  async function uneven(): Promise<Field> {
    const field = new Field(world)
    await field.topic('in', 3)
    await field.write('in', 'p0/0 a')
    for (let batch = 0; batch < 20; batch++) {
      await field.batch('in', 'none', ...Array.from({ length: 50 }, (_, i) => `p2 k${i}`))
    }
    return field
  }

  it('although a producer goes on writing and a fetch is slow', async () => {
    const field = await uneven()
    let appended = 0
    const busy = withFetches(1, async (fetches) => {
      await field.write('in', `p0/${++appended} a`)
      if (fetches === 3) await field.env.clock.sleep(10_000)
    })
    const run = await field.run(counting(), {}, busy)
    expect(appended).toBeGreaterThan(20)
    expect(run.records).toBe(1001)
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 1, 'in/1': 0, 'in/2': 1000 })
    expect((await field.run(counting())).records).toBe(appended)
  })
})
