import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CommitRecord } from '../../../src/ports/outside.ts'
import type { CommitStep } from '../../../src/ports/steps.ts'
import { mortal } from '../../laws/support/mortal.ts'
import { kafkaBroker } from '../kafka-broker.ts'
import { clicks, type KafkaSite, passing } from './kafka-site.ts'
import { kafkaSites } from './kafka-sites.ts'

const kafka = kafkaBroker()
const dyingAt = (step: CommitStep) => (env: Parameters<typeof mortal>[0]) => mortal(env, { step, nth: 1 }).env
const ROWS = ['counts a=2', 'counts b=1', 'windows a[0=2', 'windows b[0=1']

describe.skipIf(kafka.missing)('what a start finds on a broker', () => {
  const site = kafkaSites()

  /** One run over three clicks, then one more click. */
  async function played(): Promise<KafkaSite> {
    const made = await site()
    await made.click('a@1', 'b@2', 'a@3')
    await made.run(clicks())
    await made.click('b@4')
    return made
  }

  describe('neither a state nor a commit record', () => {
    it('begins, where nothing was ever committed', async () => {
      const made = await site()
      await made.click('a@1', 'b@2', 'a@3')
      expect(await made.run(clicks())).toMatchObject({ status: 'done', records: 3 })
      expect(made.stores()).toEqual(ROWS)
      expect((await made.committed())?.token).toEqual(made.checkpoint()?.token)
    })

    it('stops where job.db remembers a commit, unless it is told to begin', async () => {
      const made = await played()
      made.env().state.remove('clicks', 'g1')
      await removeCommits(made)
      expect(await made.fail(clicks())).toMatchObject({ code: 'STATE_MISSING', exit: 76 })
      expect(await made.run(clicks(), { init: true })).toMatchObject({ records: 4 })
      expect(made.checkpoint()?.token).toMatchObject({ seq: 1, parent: null })
    })
  })

  describe('no state, and a commit record', () => {
    it('restores the stores, and goes on', async () => {
      const made = await played()
      made.world.loseDisk()
      expect(await made.run(clicks())).toMatchObject({ status: 'done', records: 1 })
      expect(made.stores()).toEqual(['counts a=2', 'counts b=2', 'windows a[0=2', 'windows b[0=2'])
    })

    it('takes the checkpoint alone where the job has no stores', async () => {
      const made = await site()
      await made.click('a@1', 'b@2')
      await made.run(passing)
      made.world.loseDisk()
      await made.click('c@3')
      expect(await made.run(passing)).toMatchObject({ records: 1 })
      expect(await made.out()).toEqual(['passed-out a=1', 'passed-out b=1', 'passed-out c=1'])
    })

    it.each([
      ['is gone', async (made: KafkaSite) => made.env().log.admin().delete(made.changelog('windows'))],
      [
        'was made again',
        async (made: KafkaSite) => {
          const admin = made.env().log.admin()
          await admin.delete(made.changelog('windows'))
          await admin.create({ name: made.changelog('windows'), partitions: 1 })
        },
      ],
    ])('stops where a changelog %s, and says the ways out', async (_, spoil) => {
      const made = await played()
      made.world.loseDisk()
      await spoil(made)
      const error = await made.fail(clicks())
      expect(error).toMatchObject({ code: 'STATE_MISSING', exit: 76, hint: expect.stringContaining('--init') })
      expect(made.checkpoint()).toBeNull()
    })

    it('starts empty with --init, and nothing of before is in a later restore', async () => {
      const made = await played()
      const last = made.checkpoint()?.token
      made.world.loseDisk()
      await made.env().log.admin().trim({ topic: 'clicks', partition: 0 }, 3)
      expect(await made.run(clicks(), { init: true })).toMatchObject({ status: 'done', records: 1 })
      expect(made.checkpoint()?.token).toMatchObject({ seq: (last?.seq ?? 0) + 1, parent: last?.id })
      made.world.loseDisk()
      await made.click('c@5')
      await made.run(clicks())
      expect(made.stores()).toEqual(['counts b=1', 'counts c=1', 'windows b[0=1', 'windows c[0=1'])
    })
  })

  it('the state and the record of one commit: goes on', async () => {
    const made = await played()
    expect(await made.run(clicks())).toMatchObject({ status: 'done', records: 1 })
    expect(made.rows().map(({ trigger }) => trigger)).toEqual(['test', 'test'])
  })

  describe('a commit that the record lacks', () => {
    it.each(['send', 'acknowledge', 'store-commit'] as const)(
      'was never made by one that dies before %s',
      async (step) => {
        const made = await site()
        await made.click('a@1', 'b@2', 'a@3')
        await made.crashing(clicks(), dyingAt(step))
        expect(made.checkpoint()).toBeNull()
        expect(await made.run(clicks())).toMatchObject({ records: 3 })
        expect(await made.out()).toEqual(['counts-out a=2', 'counts-out b=1'])
        expect(made.stores()).toEqual(ROWS)
      },
    )

    it.each([
      ['the first', 0],
      ['a later one', 1],
    ])('is delivered again: %s', async (_, before) => {
      const made = await site()
      if (before > 0) {
        await made.click('z@0')
        await made.run(clicks())
      }
      await made.click('a@1', 'b@2', 'a@3')
      await made.crashing(clicks(), dyingAt('outside-commit'))
      const { token } = made.checkpoint() ?? {}
      expect(token).toMatchObject({ seq: before + 1 })
      expect((await made.committed())?.token?.id).not.toBe(token?.id)
      expect(await made.run(clicks())).toMatchObject({ records: 0 })
      expect((await made.committed())?.token).toEqual(token)
      expect((await made.out()).filter((line) => !line.includes('z'))).toEqual(['counts-out a=2', 'counts-out b=1'])
      made.world.loseDisk()
      await made.run(clicks())
      expect(made.stores().filter((line) => !line.includes('z'))).toEqual(ROWS)
    })

    it('is there once where the death came right after it', async () => {
      const made = await site()
      await made.click('a@1', 'b@2', 'a@3')
      await made.crashing(clicks(), dyingAt('delivered'))
      expect((await made.committed())?.token).toEqual(made.checkpoint()?.token)
      expect(await made.run(clicks())).toMatchObject({ records: 0 })
      expect(await made.out()).toEqual(['counts-out a=2', 'counts-out b=1'])
    })
  })

  describe('a record that has overtaken the state', () => {
    it('drops the state, restores, and goes on from there', async () => {
      const made = await played()
      await made.run(clicks(), {}, 'elsewhere')
      await made.click('c@5')
      expect(await made.run(clicks())).toMatchObject({ records: 1 })
      expect(made.stores()).toEqual([...made.stores(clicks(), 'elsewhere'), 'counts c=1', 'windows c[0=1'].sort())
      expect(made.rows().map(({ trigger }) => trigger)).toContain('restore')
    })

    it('is one of the same number too, where another instance made that commit', async () => {
      const made = await played()
      await made.crashing(clicks(), dyingAt('outside-commit'))
      const lost = made.checkpoint()?.token
      await made.click('c@5')
      await made.run(clicks(), { takeOver: true }, 'elsewhere')
      const { token } = (await made.committed()) ?? {}
      expect(token).toMatchObject({ seq: lost?.seq, parent: lost?.parent })
      expect(token?.id).not.toBe(lost?.id)
      expect(await made.run(clicks())).toMatchObject({ records: 0 })
      expect(made.stores()).toEqual(made.stores(clicks(), 'elsewhere'))
      expect(made.stores()).toContain('counts c=1')
      expect(made.checkpoint()?.token).toEqual(token)
      expect((await made.out()).filter((line) => line === 'counts-out b=2')).toHaveLength(1)
    })

    it('is no trouble for a job without stores', async () => {
      const made = await site()
      await made.click('a@1')
      await made.run(passing)
      await made.click('b@2')
      await made.run(passing, {}, 'elsewhere')
      await made.click('c@3')
      expect(await made.run(passing)).toMatchObject({ records: 1 })
      expect(await made.out()).toEqual(['passed-out a=1', 'passed-out b=1', 'passed-out c=1'])
    })

    it('stops the job where no changelog reaches it, and nothing is dropped', async () => {
      const made = await played()
      await made.run(clicks(), {}, 'elsewhere')
      await made.env().log.admin().delete(made.changelog('counts'))
      expect(await made.fail(clicks())).toMatchObject({ code: 'STATE_MISSING', exit: 76 })
      expect(made.stores()).toEqual(ROWS)
    })
  })

  describe('a record that is older than the state, or gone', () => {
    it('stops the job where the log has lost its records, and nothing changes', async () => {
      const made = await played()
      await made.run(clicks())
      await removeCommits(made)
      const before = made.stores()
      for (const request of [{}, { init: true }, { takeOver: true }]) {
        expect(await made.fail(clicks(), request)).toMatchObject({ code: 'OUTPUT_LOST', exit: 66 })
      }
      expect(made.stores()).toEqual(before)
      expect(made.checkpoint()?.token.seq).toBe(2)
    })

    it.each([
      ["is older than the state's parent", 2, (old: CommitRecord) => old.token?.id ?? ''],
      ["is another one in the place of the state's parent", 1, () => randomUUID()],
    ])('stops it where the record %s', async (_, runs, idOf) => {
      const made = await played()
      const old = await made.committed()
      for (let run = 0; run < runs; run++) {
        await made.run(clicks())
        await made.click('c@5')
      }
      await removeCommits(made)
      const outside = await made.env('another').log.outside('clicks', 'live')
      if (old === undefined) throw new Error('there was a commit')
      await outside.begin()
      await outside.commit({ ...old, token: { seq: 1, id: idOf(old), parent: null } })
      await outside.close()
      expect(await made.fail(clicks())).toMatchObject({ code: 'OUTPUT_LOST', exit: 66 })
      expect(made.checkpoint()?.token.seq).toBe(runs + 1)
    })
  })
})

/** As a log that was restored from an old copy: the commit topic is not there. */
async function removeCommits({ world }: KafkaSite): Promise<void> {
  await world.removeTopic(`tidemark.${world.prefix}clicks.commits`)
}
