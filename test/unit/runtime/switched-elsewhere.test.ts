import { describe, expect, it } from 'vitest'
import { encodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { counting, newMachine, Site } from './support/site.ts'

describe('a start that finds another generation live', () => {
  it('is told so, and knows it from then on', async () => {
    const site = await Site.with('aaab')
    await site.run(counting)
    await outsideNames(site, 'g2')
    expect(await site.fail(counting)).toMatchObject({ code: 'GENERATION_SWITCHED', exit: 75, retryable: true })
    const rows = site.first.state.jobFile('j').generations()
    expect(rows).toMatchObject([
      { name: 'g1', role: 'retired' },
      { name: 'g2', role: 'live', jobPath: 'jobs/j.ts' },
    ])
    expect(site.checkpoint()?.generation).toBe('g1')
    expect(await site.fail(counting)).toMatchObject({ code: 'STATE_MISSING' })
  })

  it('is told so on a machine that has never run the job', async () => {
    const site = await Site.with('aaab')
    await site.run(counting)
    await outsideNames(site, 'g2')
    const other = newMachine('other')
    expect(await site.fail(counting, {}, { on: other })).toMatchObject({ code: 'GENERATION_SWITCHED' })
    expect(other.state.jobFile('j').generations()).toMatchObject([{ name: 'g2', role: 'live' }])
    expect(other.state.generations('j')).toEqual([])
  })

  it('names its generation in every commit', async () => {
    const site = await Site.with('aaab')
    await site.run(counting)
    expect(site.checkpoint()?.generation).toBe('g1')
    await site.run(counting, { from: '1', to: '3', as: 'r' })
    expect(site.checkpoint('r')?.generation).toBe('r')
  })
})

/** A commit is made outside, as by another machine, that names a generation. */
async function outsideNames(site: Site, generation: string): Promise<void> {
  const outside = await site.log.outside('j', 'live')
  const record = await outside.read()
  const checkpoint = site.checkpoint()
  if (record?.token == null || checkpoint === null) throw new Error('the job has run')
  const token = { seq: record.token.seq + 1, id: 'switched', parent: record.token.id }
  await outside.begin()
  await outside.acknowledged()
  await outside.commit({
    token,
    checkpoint: encodeCheckpoint({ ...checkpoint, token, generation }),
    delivery: { ...record.delivery, leaseUntil: 0 },
  })
  await outside.close()
}
