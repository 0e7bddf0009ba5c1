import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS, type CommitStep } from '../../../src/ports/steps.ts'
import { commitSlice, deliver } from '../../../src/runtime/commit.ts'
import { Killed } from '../../laws/support/mortal.ts'
import { COUNTS, row } from '../state-file/samples.ts'
import { batch, Desk, delivery } from './desk.ts'

const STEPS = COMMIT_STEPS.filter((step) => step !== 'process')

const BEFORE = { L: 1, O: 1, row: ['k@0.0=1'], out: [1], start: 'go-on' }
const DECIDED = { L: 2, O: 1, row: ['k@0.0=2'], out: [1], start: 'deliver-again' }
const AFTER = { L: 2, O: 2, row: ['k@0.0=2'], out: [1, 2], start: 'go-on' }

const DEATHS = STEPS.map((step) => {
  const left = step === 'delivered' ? AFTER : step === 'outside-commit' ? DECIDED : BEFORE
  return [step, left] as const
})

describe.each(['memory', 'embedded'])('a commit on the %s adapters', (world) => {
  /** A desk on which one slice is committed. */
  async function begun(): Promise<Desk> {
    const desk = await Desk.in(world)
    await commitSlice(desk.commit(1))
    expect(await desk.shows()).toEqual(BEFORE)
    return desk
  }

  /** One on which a second slice is committed here, and not outside. */
  async function decided(): Promise<Desk> {
    const dying = await (await begun()).dying('outside-commit')
    await expect(commitSlice(dying.commit(2))).rejects.toThrow(Killed)
    return await dying.next()
  }

  it('enters its steps in their order, and is decided between store-commit and outside-commit', async () => {
    const desk = await begun()
    const entered: [CommitStep, number | undefined][] = []
    const enter = (step: CommitStep) => entered.push([step, desk.file.checkpoint()?.token.seq])
    await commitSlice(desk.commit(2, { steps: { enter } }))
    expect(entered.map(([step]) => step)).toEqual(STEPS)
    const after = entered.filter(([, seq]) => seq === 2).map(([step]) => step)
    expect(after).toEqual(['outside-commit', 'delivered'])
    expect(await desk.shows()).toEqual(AFTER)
  })

  it.each(DEATHS)('that dies before %s is whole after all, or has never been', async (step, left) => {
    const dying = await (await begun()).dying(step)
    await expect(commitSlice(dying.commit(2))).rejects.toThrow(Killed)
    const next = await dying.next()
    expect(await next.shows()).toEqual(left)
  })

  it('keeps what it has to deliver, byte for byte, until the next one', async () => {
    const desk = await decided()
    const { batches = [], token } = desk.file.outbox() ?? {}
    expect(token?.seq).toBe(2)
    expect(batches.map(({ bytes, ...rest }) => ({ ...rest, bytes: Buffer.from(bytes).toString('hex') }))).toEqual([
      { topic: 'out', partition: 0, records: 1, bytes: Buffer.from(batch(2).bytes).toString('hex') },
    ])
  })

  it('is delivered once, however often it is delivered again', async () => {
    const desk = await decided()
    for (let time = 0; time < 3; time++) {
      await deliver(desk.outside, desk.env.steps, desk.file.outbox()?.batches ?? [], desk.record(2))
      expect(await desk.shows()).toEqual(AFTER)
    }
    await commitSlice(desk.commit(3))
    expect(await desk.shows()).toMatchObject({ L: 3, O: 3, out: [1, 2, 3] })
  })

  it.each(['send', 'acknowledge', 'outside-commit', 'delivered'] as const)(
    'is delivered by the start after one that died before %s while it did so',
    async (step) => {
      const dying = await (await decided()).dying(step)
      const again = deliver(dying.outside, dying.env.steps, [batch(2)], dying.record(2))
      await expect(again).rejects.toThrow(Killed)
      const next = await dying.next()
      expect(await next.shows()).toEqual(step === 'delivered' ? AFTER : DECIDED)
      await deliver(next.outside, next.env.steps, [batch(2)], next.record(2))
      expect(await next.shows()).toEqual(AFTER)
    },
  )

  it.each([
    ['no such topic', batch(2, { topic: 'nowhere' })],
    ['no such partition', batch(2, { partition: 7 })],
  ])('that is refused outside (%s) leaves no trace, not even of what was spilled before', async (_, refused) => {
    const desk = await begun()
    desk.file.begin()
    desk.file.table(COUNTS).put(row('spilled', '2'))
    const bad = desk.commit(2, { batches: [batch(2), refused] })
    await expect(commitSlice(bad)).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
    expect(await desk.shows()).toEqual(BEFORE)
    await commitSlice(desk.commit(2))
    expect(await desk.shows()).toEqual(AFTER)
  })

  it('that cannot be written here sends nothing', async () => {
    const desk = await begun()
    const write = () => {
      desk.file.table(COUNTS).put(row('k', '2'))
      throw new Error('a serde refused')
    }
    await expect(commitSlice(desk.commit(2, { write }))).rejects.toThrow('a serde refused')
    expect(await desk.shows()).toEqual(BEFORE)
    await commitSlice(desk.commit(2))
    expect(await desk.shows()).toEqual(AFTER)
  })

  it('takes what was spilled before along', async () => {
    const desk = await begun()
    desk.file.begin()
    desk.file.table(COUNTS).put(row('spilled', '2'))
    await commitSlice(desk.commit(2))
    expect(await desk.shows()).toMatchObject({ row: ['k@0.0=2', 'spilled@0.0=2'] })
  })

  it('is given up where another instance has taken over before it was decided', async () => {
    const desk = await begun()
    const other = await desk.env.log.outside('j', 'live')
    await other.claim(delivery('there'), 0, true)
    await expect(commitSlice(desk.commit(2))).rejects.toMatchObject({ code: 'FENCED' })
    expect(await desk.shows()).toEqual(BEFORE)
  })

  it('is not delivered where another instance has taken over since it was decided', async () => {
    const desk = await begun()
    const other = await desk.env.log.outside('j', 'live')
    const claim = other.claim.bind(other, delivery('there'), 0, true)
    const parts = desk.commit(2)
    const write = () => {
      void claim() // both adapters claim before they first wait
      return parts.write()
    }
    await expect(commitSlice({ ...parts, write })).rejects.toMatchObject({ code: 'FENCED' })
    expect(await desk.shows()).toEqual(DECIDED)
  })

  it('is one of the state alone where nothing is published', async () => {
    const desk = await begun()
    await commitSlice(desk.commit(2, { outside: null }))
    expect(await desk.shows()).toMatchObject({ L: 2, O: 1, row: ['k@0.0=2'], out: [1] })
  })
})
