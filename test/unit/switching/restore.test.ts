import { describe, expect, it } from 'vitest'
import { restoreState } from '../../../src/runtime/restore-state.ts'
import { Site } from '../runtime/support/site.ts'
import { FIXED, OLD, remake, run, tableOf, turn } from './support/versions.ts'

describe('a backup, where generations were switched', () => {
  it('is brought to the last commit where it was made since', async () => {
    const site = await switched()
    await backup(site, 'g2', 'since')
    await site.write('bd')
    await run(site.env(), FIXED)
    site.first.state.remove('j', 'g2')
    expect(await restoreState(site.env(), FIXED, 'since')).toMatchObject({ generation: 'g2', replayed: 1, records: 2 })
    await site.write('b')
    await run(site.env(), FIXED)
    expect(await tableOf(site.log)).toEqual({ a: 2, b: 4, c: 2 })
  })

  it.each(['g1', 'g2'])('is refused where it was made of %s before', async (generation) => {
    const site = await Site.with('aabbccdd')
    await run(site.env(), OLD)
    await remake(site.env())
    await backup(site, generation, 'before')
    await turn(site.env())
    site.first.state.remove('j', 'g2')
    await expect(restoreState(site.env(), FIXED, 'before')).rejects.toMatchObject({ code: 'USAGE' })
    expect(site.first.state.generations('j')).toEqual(['g1'])
  })
})

async function switched(): Promise<Site> {
  const site = await Site.with('aabbccdd')
  await run(site.env(), OLD)
  await remake(site.env())
  await turn(site.env())
  return site
}

async function backup(site: Site, generation: string, name: string): Promise<void> {
  const file = site.first.state.open('j', generation, { create: false, readonly: true })
  await file?.backup(name)
  file?.close()
}
