import { describe, expect, it } from 'vitest'
import { LogFixture } from './log-fixture.ts'
import { planOn, rangeOn, rangesOf, sources, times } from './requests.ts'
import { thrown } from './thrown.ts'

describe('a start that the log has lost', () => {
  async function trimmed(): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t', 2)
    await fixture.append('t/0', times(20))
    await fixture.append('t/1', times(12))
    await fixture.trim('t/0', 15)
    return fixture
  }

  it('fails by name and number', async () => {
    const fixture = await trimmed()
    const error = await thrown(() => planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 10, 't/1': 10 }) }))
    expect(error.code).toBe('INPUT_LOST')
    expect(error.exit).toBe(66)
    expect(error.message).toBe('t[0]: offset 10 is wanted, the log starts at 15, 5 offsets are lost')
    expect(error.at).toEqual({ job: 'job', topic: 't', partition: 0, offset: 10 })
    expect(error.hint).toContain('--on-data-loss skip')
  })

  it('is skipped on request, and the gap is part of the plan', async () => {
    const fixture = await trimmed()
    const checkpoint = fixture.checkpoint({ 't/0': 10, 't/1': 10 })
    const { plan } = await planOn(fixture, { checkpoint, onDataLoss: 'skip' })
    expect(rangesOf(plan)).toEqual({ 't/0': [15, 20], 't/1': [10, 12] })
    expect(plan.gaps).toEqual([{ topic: 't', partition: 0, from: 10, to: 15 }])
    expect(plan.notices).toEqual([expect.stringMatching(/5 offsets are lost: going on from 15/)])
  })

  it('is something to do, even where nothing is left to read', async () => {
    const fixture = await trimmed()
    await fixture.trim('t/0', 20)
    const checkpoint = fixture.checkpoint({ 't/0': 19, 't/1': 12 })
    const { plan, nothingToDo } = await planOn(fixture, { checkpoint, onDataLoss: 'skip' })
    expect(rangesOf(plan)).toEqual({ 't/0': [20, 20], 't/1': [12, 12] })
    expect(plan.notices[0]).toContain('1 offset is lost')
    expect(nothingToDo).toBe(false)
  })

  it('moves past an end that lies in the gap', async () => {
    const fixture = await trimmed()
    const checkpoint = fixture.checkpoint({ 't/0': 10, 't/1': 12 })
    const { plan } = await planOn(fixture, { checkpoint, onDataLoss: 'skip', to: '12' })
    expect(rangesOf(plan)['t/0']).toEqual([15, 15])
    expect(plan.gaps).toEqual([{ topic: 't', partition: 0, from: 10, to: 15 }])
  })

  it('counts an end from where it goes on', async () => {
    const fixture = await trimmed()
    const checkpoint = fixture.checkpoint({ 't/0': 10, 't/1': 10 })
    const { plan } = await planOn(fixture, { checkpoint, onDataLoss: 'skip', to: '+2' })
    expect(rangesOf(plan)).toEqual({ 't/0': [15, 17], 't/1': [10, 12] })
  })

  it('is a loss for a range that asks for it, and none for earliest or a time', async () => {
    const fixture = await trimmed()
    expect((await thrown(() => rangeOn(fixture, '10', 'latest'))).code).toBe('INPUT_LOST')
    expect(rangesOf((await rangeOn(fixture, 'earliest', 'latest')).plan)['t/0']).toEqual([15, 20])
    expect(rangesOf((await rangeOn(fixture, '@1000', 'latest')).plan)['t/0']).toEqual([15, 20])
  })

  it('lists every partition that lost something', async () => {
    const fixture = await trimmed()
    await fixture.trim('t/1', 12)
    const error = await thrown(() => planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 10, 't/1': 10 }) }))
    expect(error.message).toMatch(/^t\[0\]: .* 5 offsets are lost; t\[1\]: .* 2 offsets are lost$/)
  })

  it('of a partition that has just appeared begins at 0', async () => {
    const fixture = await trimmed()
    const checkpoint = fixture.checkpoint({ 't/1': 12 })
    expect((await thrown(() => planOn(fixture, { checkpoint }))).message).toContain('offset 0 is wanted')
    const { plan } = await planOn(fixture, { checkpoint, onDataLoss: 'skip' })
    expect(plan.gaps).toEqual([{ topic: 't', partition: 0, from: 0, to: 15 }])
  })
})

describe('a log that is shorter than the checkpoint', () => {
  async function truncated(): Promise<LogFixture> {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.append('t/0', times(8), 1)
    fixture.cluster.truncate({ topic: 't', partition: 0 }, 5)
    return fixture
  }

  it('fails by name and number', async () => {
    const fixture = await truncated()
    const error = await thrown(() => planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 8 }) }))
    expect(error.code).toBe('INPUT_LOST')
    expect(error.message).toBe(
      't[0]: log shorter than checkpoint, offset 8 is wanted, the log ends at 5, 3 offsets are lost',
    )
  })

  it('goes on from its end on request', async () => {
    const fixture = await truncated()
    const { plan } = await planOn(fixture, { checkpoint: fixture.checkpoint({ 't/0': 8 }), onDataLoss: 'skip' })
    expect(rangesOf(plan)).toEqual({ 't/0': [5, 5] })
    expect(plan.gaps).toEqual([{ topic: 't', partition: 0, from: 5, to: 8 }])
  })
})

describe('a topic that is not the same', () => {
  async function recreated(
    records: number,
  ): Promise<{ fixture: LogFixture; checkpoint: ReturnType<LogFixture['checkpoint']> }> {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.create('s')
    await fixture.append('s/0', times(3))
    const checkpoint = fixture.checkpoint({ 't/0': 5, 's/0': 2 })
    await fixture.recreate('t', 2)
    await fixture.append('t/0', times(records))
    return { fixture, checkpoint }
  }

  it('stops the run, whatever it holds', async () => {
    const { fixture, checkpoint } = await recreated(9)
    const error = await thrown(() => planOn(fixture, { checkpoint, onDataLoss: 'skip', sources: sources('t', 's') }))
    expect(error.code).toBe('INPUT_REPLACED')
    expect(error.message).toMatch(/^topic identity changed: t was made again under the same name/)
    expect(error.message).not.toContain('shorter')
    expect(error.hint).toContain('--accept-topic t')
    expect(error.at).toEqual({ job: 'job', topic: 't' })
  })

  it('is said to be shorter where it is', async () => {
    const { fixture, checkpoint } = await recreated(3)
    const error = await thrown(() => planOn(fixture, { checkpoint, sources: sources('t', 's') }))
    expect(error.code).toBe('INPUT_REPLACED')
    expect(error.message).toMatch(/log shorter than checkpoint: t\[0\] ends at 3, not 5/)
  })

  it('is read anew when it is accepted, and only that one', async () => {
    const { fixture, checkpoint } = await recreated(9)
    await fixture.trim('t/0', 2)
    const { plan } = await planOn(fixture, {
      checkpoint,
      acceptTopics: ['t', 's'],
      sources: sources('t', 's'),
      start: 'latest',
    })
    expect(rangesOf(plan)).toEqual({ 't/0': [2, 9], 't/1': [0, 0], 's/0': [2, 3] })
    expect(plan.accepted).toEqual(['t'])
    expect(plan.gaps).toEqual([{ topic: 't', partition: 0, from: 0, to: 2 }])
    expect(plan.partitions.map(({ startedBy }) => startedBy)).toEqual(['accepted', 'accepted', 'checkpoint'])
    expect(plan.notices.join('\n')).toMatch(/topic t is read anew[\s\S]*topic s is the one that was read before/)
  })

  it('accepts a topic that is new to the job where it starts', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    await fixture.create('new')
    await fixture.append('new/0', times(5))
    await fixture.trim('new/0', 3)
    const request = { checkpoint: fixture.checkpoint({ 't/0': 0 }), sources: sources('t', 'new') }
    expect((await thrown(() => planOn(fixture, request))).code).toBe('INPUT_LOST')
    const { plan } = await planOn(fixture, { ...request, acceptTopics: ['new'] })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, 0], 'new/0': [3, 5] })
  })

  it('cannot be accepted where the job does not read it', async () => {
    const { fixture, checkpoint } = await recreated(1)
    const error = await thrown(() => planOn(fixture, { checkpoint, acceptTopics: ['tt'], sources: sources('t', 's') }))
    expect(error.code).toBe('USAGE')
    expect(error.hint).toBe('Did you mean t?')
  })

  it('is not looked at by a range that has a start of its own', async () => {
    const { fixture, checkpoint } = await recreated(9)
    const { plan } = await rangeOn(fixture, 'earliest', 'latest', { liveCheckpoint: checkpoint })
    expect(rangesOf(plan)).toMatchObject({ 't/0': [0, 9] })
    const error = await thrown(() => rangeOn(fixture, 'earliest', 'checkpoint', { liveCheckpoint: checkpoint }))
    expect(error.code).toBe('INPUT_REPLACED')
  })

  it('does not lose partitions', async () => {
    const fixture = new LogFixture()
    await fixture.create('t')
    const checkpoint = fixture.checkpoint({ 't/0': 0, 't/1': 4 })
    const error = await thrown(() => planOn(fixture, { checkpoint }))
    expect(error.code).toBe('INPUT_REPLACED')
    expect(error.message).toContain('t/1')
  })
})

describe('another log', () => {
  async function moved() {
    const was = new LogFixture('was')
    await was.create('t')
    await was.create('s')
    const is = new LogFixture('is')
    await is.create('t')
    await is.create('s')
    await is.append('t/0', times(4))
    return { checkpoint: was.checkpoint({ 't/0': 2, 's/0': 0 }), is }
  }

  it('stops the run before it is read', async () => {
    const { checkpoint, is } = await moved()
    const error = await thrown(() => planOn(is, { checkpoint, sources: sources('t', 's'), acceptTopics: ['t'] }))
    expect(error.code).toBe('INPUT_REPLACED')
    expect(error.message).toContain('another log (cluster is-0): the checkpoint was made on was-0')
    expect(error.hint).toContain('--accept-topic s')
  })

  it('is read from its beginning when every topic of it is accepted', async () => {
    const { checkpoint, is } = await moved()
    const { plan } = await planOn(is, { checkpoint, sources: sources('t', 's'), acceptTopics: ['s', 't'] })
    expect(rangesOf(plan)).toEqual({ 't/0': [0, 4], 's/0': [0, 0] })
    expect(plan.accepted).toEqual(['t', 's'])
    expect(plan.clusterId).toBe('is-0')
  })
})

describe('a topic that is not there', () => {
  it.each<[asked: readonly string[], message: string, hint: string]>([
    [['ordres'], 'topic ordres does not exist', 'Did you mean orders?'],
    [['orders', 'x', 'y'], 'topics x, y do not exist', 'Create it and fill it first: tidemark log import.'],
  ])('%j', async (asked, message, hint) => {
    const fixture = new LogFixture()
    await fixture.create('orders')
    await fixture.create('flights')
    const error = await thrown(() => planOn(fixture, { sources: sources(...asked) }))
    expect([error.code, error.message, error.hint]).toEqual(['INPUT_MISSING', message, hint])
    expect((await fixture.log.describe()).map(({ name }) => name)).toEqual(['flights', 'orders'])
  })
})
