import { job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { counting, IN, Site } from './support/site.ts'

const refusing = job('j', { sliceRecords: 2 }, ({ stream }) => {
  stream(IN)
    .peek((value) => {
      if (value === 1) throw new Error('not this one')
    })
    .groupByKey()
    .count('counts')
})

describe('a topic that was made again', () => {
  async function again(): Promise<Site> {
    const site = await Site.with('abc')
    await site.run(counting)
    await site.log.admin().delete('in')
    await site.log.admin().create({ name: 'in', partitions: 1 })
    await site.write('ad')
    return site
  }

  it('stops the run', async () => {
    const site = await again()
    const before = site.checkpoint()
    expect(await site.fail(counting)).toMatchObject({ code: 'INPUT_REPLACED', exit: 66 })
    expect(site.checkpoint()).toEqual(before)
  })

  it('is read from its beginning where it is accepted, and the history says so', async () => {
    const site = await again()
    const [run] = await site.run(counting, { acceptTopics: ['in'] })
    expect(run).toMatchObject({ status: 'done', records: 2 })
    const [description] = await site.log.describe(['in'])
    expect(site.checkpoint()).toMatchObject({
      offsets: { 'in/0': 2 },
      floors: { 'in/0': 1 },
      topicIds: { in: description?.id },
    })
    expect(site.events()).toMatchObject([
      { kind: 'cut' },
      { kind: 'topic-accepted', detail: { topic: 'in', id: description?.id }, runId: run?.runId },
      { kind: 'cut' },
    ])
    // The state stays.
    expect(await site.out()).toEqual(['a=1', 'b=1', 'c=1', 'a=2', 'd=1'])
    expect(await site.run(counting)).toMatchObject([{ status: 'done', records: 0 }])
  })

  it('is forgotten whole: the new one may have fewer partitions', async () => {
    const site = await Site.with('abc', 2)
    await site.write('d', 1)
    await site.run(counting)
    await site.log.admin().delete('in')
    await site.log.admin().create({ name: 'in', partitions: 1 })
    await site.run(counting, { acceptTopics: ['in'] })
    expect(site.checkpoint()).toMatchObject({ offsets: { 'in/0': 0 }, floors: {}, partitionTimes: {} })
    expect(await site.run(counting)).toMatchObject([{ status: 'done', records: 0 }])
  })

  it('has to be accepted again where nothing came of it', async () => {
    const site = await again()
    await site.outcome(counting, { acceptTopics: ['in'] }, { dies: { step: 'store-commit', nth: 1 } })
    expect(await site.fail(counting)).toMatchObject({ code: 'INPUT_REPLACED' })
    await site.run(counting, { acceptTopics: ['in'] })
    expect(site.events().filter(({ kind }) => kind === 'topic-accepted')).toHaveLength(1)
  })
})

describe('input that is lost', () => {
  it('stops the run, or is recorded as a gap', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    await site.write('cdef')
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 5)
    const before = site.checkpoint()
    const error = await site.fail(counting)
    expect(error).toMatchObject({ code: 'INPUT_LOST', at: { topic: 'in', partition: 0, offset: 2 } })
    expect(site.checkpoint()).toEqual(before)

    const [run] = await site.run(counting, { onDataLoss: 'skip' })
    expect(run).toMatchObject({ status: 'done', records: 1 })
    expect(run?.notices.join()).toContain('3 offsets are lost')
    expect(site.events()).toMatchObject([
      { kind: 'cut' },
      { kind: 'gap', detail: { topic: 'in', partition: 0, from: 2, to: 5 }, runId: run?.runId, seq: 2 },
      { kind: 'cut', seq: 2 },
    ])
  })
})

describe('what a plan changes beside reading', () => {
  it.each([2, 3])('is recorded once, where the run dies before its slice number %i', async (nth) => {
    const site = await Site.with('ab')
    await site.run(counting)
    await site.write('cdefgh')
    await site.log.admin().trim({ topic: 'in', partition: 0 }, 3)
    await site.outcome(counting, { onDataLoss: 'skip' }, { dies: { step: 'process', nth } })
    await site.run(counting)
    expect(site.events().map(({ kind, seq }) => [kind, seq])).toEqual([
      ['cut', 1],
      ['gap', 2],
      ['cut', 4],
    ])
  })
})

describe('--skip', () => {
  it('leaves one record out, counts it and records it', async () => {
    const site = await Site.with('abcd')
    const error = await site.fail(refusing)
    expect(error).toMatchObject({ code: 'USER_CODE_FAILED', at: { topic: 'in', partition: 0, offset: 1 } })
    const [run] = await site.run(refusing, { skip: ['in/0@1'] })
    expect(run).toMatchObject({ status: 'done', records: 4 })
    expect(Object.values(run?.steps ?? {})).toMatchObject([{ skipped: { asked: 1 } }])
    expect(site.events()).toMatchObject([
      { kind: 'skipped', detail: { topic: 'in', partition: 0, offset: 1, reason: 'asked' }, runId: run?.runId },
      { kind: 'cut' },
    ])
    expect(site.checkpoint()?.made?.leftOut).toMatchObject([{ topic: 'in', partition: 0, offset: 1 }])
  })

  it('helps an unfinished run over a record that it failed on', async () => {
    const site = await Site.with('')
    await site.write('ab')
    const late = { ...refusing, settings: { ...refusing.settings, sliceRecords: 1 } }
    expect(await site.fail(late)).toMatchObject({ code: 'USER_CODE_FAILED' })
    expect(await site.run(late, { skip: ['in/0@1'] })).toMatchObject([{ status: 'done', attempt: 2, records: 2 }])
  })

  it('tells of a record that the run did not meet', async () => {
    const site = await Site.with('abcd')
    const [run] = await site.run(counting, { skip: ['in/0@1', 'in/0@99'] })
    expect(run).toMatchObject({ status: 'done', notices: ['--skip in/0@99: this run met no such record'] })
    expect(site.rows()).toMatchObject([{ notices: run?.notices }])
    const [idle] = await site.run(counting, { skip: ['in/0@1'] })
    expect(idle).toMatchObject({ records: 0, notices: ['--skip in/0@1: this run met no such record'] })
  })

  it.each(['in', 'in/0', 'in/0@', 'in/0@x', 'in/0@-1', '/0@1', 'in/0@1 '])(
    'refuses %j, which is no record',
    async (skip) => {
      const site = await Site.with('ab')
      const error = await site.fail(counting, { skip: [skip] })
      expect(error).toMatchObject({ code: 'USAGE' })
      expect(error.message).toContain(skip)
      expect(site.rows()).toEqual([])
    },
  )

  it('refuses a topic that the job does not read', async () => {
    const site = await Site.with('ab')
    const error = await site.fail(counting, { skip: ['on/0@1'] })
    expect(error).toMatchObject({ code: 'USAGE', hint: expect.stringContaining('in') })
  })
})
