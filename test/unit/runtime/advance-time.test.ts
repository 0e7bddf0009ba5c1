import { job, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { IN, OUT, Site } from './support/site.ts'

/** Counts 'a' in windows of 10 ms; what else comes does not get to the windows. */
const windowed = job('j', { sliceRecords: 1 }, ({ stream }) => {
  stream(IN)
    .filter((_value, key) => key === 'a')
    .groupByKey()
    .windowedBy(tumbling(10))
    .count('counts')
    .toStream()
    .map((count, { key }) => [key, count])
    .to(OUT)
})

const END = { to: '@100', advanceTime: true }

/** Something else in partition 0, 'a' in 1, nothing in 2. */
async function given(): Promise<Site> {
  const site = await Site.with('b', 3)
  await site.write('a', 1)
  return site
}

describe('an advance of stream time', () => {
  it('reaches the tasks of all partitions, whatever has been read there', async () => {
    const site = await given()
    await site.run(windowed, END)
    const { streamTimes } = site.checkpoint() ?? {}
    expect(streamTimes).toMatchObject({ 'counts/0': 100, 'counts/1': 100, 'counts/2': 100 })
    await site.write('a', 2)
    expect(await site.run(windowed)).toMatchObject([{ steps: { counts: { late: 1 } } }])
  })

  it('comes to the same where the process died between slices', async () => {
    const undisturbed = await given()
    await undisturbed.run(windowed, END)
    const site = await given()
    const died = await site.outcome(windowed, END, { dies: { step: 'process', nth: 2 } })
    expect(died).toBeUndefined()
    await site.run(windowed, END)
    expect(site.checkpoint()?.streamTimes).toEqual(undisturbed.checkpoint()?.streamTimes)
  })
})
