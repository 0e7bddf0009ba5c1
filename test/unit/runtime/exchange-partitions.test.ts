import { type Job, job, string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { IN, OUT, Site } from './support/site.ts'

const regrouped: Job = job('j', {}, ({ stream }) => {
  stream(IN)
    .groupBy((_, key) => `${key}${key}`, string())
    .count('counts')
    .toStream()
    .to(OUT)
})

const LETTERS = 'abcdefgh'

const tasks = (site: Site, generation: string) =>
  new Set(
    site.reading(
      (file) => file.stores().flatMap((identity) => [...file.table(identity).scan({})].map(({ task }) => task)),
      generation,
    ),
  )

describe('the partitions of an exchange', () => {
  it('are those of the largest source at the first run, and inherited by ranges', async () => {
    const site = await Site.with(LETTERS, 2)
    await site.run(regrouped)
    expect(site.checkpoint()?.exchangePartitions).toBe(2)
    expect(tasks(site, 'g1')).toEqual(new Set([0, 1]))

    await site.log.admin().alter('in', { partitions: 5 })
    await site.write(LETTERS, 4)
    expect(await site.run(regrouped)).toMatchObject([{ records: 8 }])
    await site.run(regrouped, { from: 'earliest', as: 'r' })
    for (const generation of ['g1', 'r']) {
      expect(site.checkpoint(generation)?.exchangePartitions).toBe(2)
      expect(tasks(site, generation)).toEqual(new Set([0, 1]))
    }
  })

  it('are inherited from a range where that was the first run', async () => {
    const site = await Site.with(LETTERS, 2)
    await site.run(regrouped, { from: 'earliest', as: 'r' })
    await site.log.admin().alter('in', { partitions: 5 })
    await site.run(regrouped)
    await site.run(regrouped, { from: 'earliest', as: 's' })
    expect(site.checkpoint()?.exchangePartitions).toBe(2)
    expect(site.checkpoint('s')?.exchangePartitions).toBe(2)
  })
})
