import { describe, expect, it } from 'vitest'
import type { Log, LogReader } from '../../../src/ports/log.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { resetJob } from '../../../src/runtime/reset.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { kafkaBroker } from '../kafka-broker.ts'
import { clicks, type KafkaSite } from './kafka-site.ts'
import { kafkaSites } from './kafka-sites.ts'

const kafka = kafkaBroker()
const LEASE_MS = 300_000

/** An environment whose readers of changelogs call `before` for each chunk. */
function readingChangelogs(before: (chunks: number) => void | Promise<void>) {
  let chunks = 0
  return (env: Environment): Environment => {
    const reader: Log['reader'] = (ranges, options) => {
      const inner = env.log.reader(ranges, options)
      if (ranges[0]?.topic.endsWith('-changelog') !== true) return inner
      const next: LogReader['next'] = async (index) => {
        await before(++chunks)
        return await inner.next(index)
      }
      return { next, close: () => inner.close() }
    }
    return { ...env, log: Object.assign(Object.create(env.log) as Log, { reader, ...bound(env.log) }) }
  }
}

/** The methods of a log that has private fields, so that an object with others can have them. */
function bound(log: Log): Pick<Log, 'clusterId' | 'describe' | 'bounds' | 'offsetsForTime' | 'outside' | 'admin'> {
  return {
    clusterId: () => log.clusterId(),
    describe: (names) => log.describe(names),
    bounds: (partitions, isolation) => log.bounds(partitions, isolation),
    offsetsForTime: (queries) => log.offsetsForTime(queries),
    outside: (job, key) => log.outside(job, key),
    admin: () => log.admin(),
  }
}

describe.skipIf(kafka.missing)('a state that is restored from a broker', () => {
  const site = kafkaSites()

  it('goes on where the last run ended, and knows what is late', async () => {
    const play = async (lose: (made: KafkaSite) => void) => {
      const made = await site(2)
      await made.click('a@1', '/1b@2', 'a@17', 'c@21')
      await made.run(clicks())
      lose(made)
      await made.click('a@3', '/1b@4', 'c@14', 'a@30')
      const { partitions, steps, streamTime, stores } = await made.run(clicks())
      return { partitions, steps, streamTime, stores, rows: made.stores(), out: await made.out() }
    }
    const kept = await play(() => {})
    const lost = await play((made) => made.world.loseDisk())
    expect(lost).toEqual(kept)
    expect(lost.partitions.map(({ from, to }) => [from, to])).toEqual([
      [3, 6],
      [1, 2],
    ])
    expect(lost.steps).toMatchObject({ windows: { late: 1 } })
  })

  it('is told in the history, with what it took', async () => {
    const made = await site()
    await made.click('a@1', 'b@2')
    await made.run(clicks())
    made.world.loseDisk()
    const told: (readonly [number, number])[] = []
    await made.run(clicks(), { onRestore: (offsets, of) => told.push([offsets, of]) })
    const restore = made.rows().find(({ trigger }) => trigger === 'restore')
    expect(restore).toMatchObject({ status: 'done', notices: ['restored 4 changelog records'] })
    expect(restore?.stores).toEqual([
      { name: 'counts', entries: 2 },
      { name: 'windows', entries: 2 },
    ])
    const [first, last] = [told[0], told.at(-1)]
    expect(first?.[0]).toBe(0)
    expect(last?.[0]).toBe(last?.[1])
  })

  it('is restored whole by the next start where a restore was cut short', async () => {
    const made = await site()
    await made.click('a@1', 'b@2')
    await made.run(clicks())
    const before = made.stores()
    made.world.loseDisk()
    const cutShort = readingChangelogs((chunks) => {
      if (chunks === 3) throw new Error('the process is dead')
    })
    expect(String(await made.crashing(clicks(), cutShort))).toContain('the process is dead')
    expect(made.checkpoint()).toBeNull()
    await made.click('c@3')
    expect(await made.run(clicks())).toMatchObject({ records: 1 })
    expect(made.stores().filter((line) => !line.includes(' c'))).toEqual(before)
  })

  it('keeps its lease while the restore lasts, and says what would avoid a slow one', async () => {
    const made = await site(3)
    await made.click('/0a@1', '/1b@2', '/2c@3')
    await made.run(clicks())
    made.world.loseDisk()
    const leases: string[] = []
    const slow = readingChangelogs(async (chunks) => {
      made.world.clock.advance(LEASE_MS / 4)
      if (chunks > 1) leases.push((await made.fail(clicks(), {}, 'elsewhere')).code)
    })
    await made.run(clicks(), {}, undefined, slow)
    expect(leases.length).toBeGreaterThan(4)
    expect(new Set(leases)).toEqual(new Set(['LEASED']))
    const notices = made
      .rows()
      .find(({ trigger }) => trigger === 'restore')
      ?.notices.join()
    expect(notices).toContain('persistent volume')
    expect(await made.run(clicks(), {}, 'elsewhere')).toMatchObject({ status: 'done' })
  })

  it('waits for who has an open transaction on a changelog: what is held back would be missed', async () => {
    const made = await site()
    await made.click('a@1', 'b@2')
    await made.run(clicks())
    made.world.loseDisk()
    const changelog = { topic: made.changelog('counts'), partition: 0 }
    const somebody = await made.env().log.outside('somebody', 'live')
    await somebody.begin()
    await somebody.send([batchOf(changelog, [record('x', '1')])])
    await somebody.acknowledged()
    expect(await made.fail(clicks())).toMatchObject({
      code: 'LEASED',
      message: expect.stringContaining('open transaction'),
      at: changelog,
    })
    expect(made.checkpoint()).toBeNull()
    await somebody.close()
    expect(await made.run(clicks())).toMatchObject({ status: 'done' })
    expect(made.stores()).toContain('counts a=1')
  })

  it('is what the last commit had after a reset, and what was before is gone for good', async () => {
    const made = await site()
    await made.click('a@1', 'b@2')
    await made.run(clicks())
    const loaded = { job: clicks(), path: 'clicks.ts', hash: 'hash' }
    await resetJob(made.env(), loaded, { state: true, streamTime: false, outputs: false, dryRun: false })
    made.world.loseDisk()
    await made.env().log.admin().trim({ topic: 'clicks', partition: 0 }, 2)
    await made.click('c@3')
    await made.run(clicks(), { onDataLoss: 'skip' })
    expect(made.stores()).toEqual(['counts c=1', 'windows c[0=1'])
    made.world.loseDisk()
    await made.run(clicks())
    expect(made.stores()).toEqual(['counts c=1', 'windows c[0=1'])
  })

  it('has a row whose task changed once, in the partition where it was written last', async () => {
    const made = await site(3)
    await made.click('/0a@1', '/1b@1', '/2c@1')
    await made.run(clicks())
    await made.click('/2a@2', '/0b@2')
    expect(await made.run(clicks())).toMatchObject({ movedRows: 4 })
    await made.click('/1a@3', '/1b@3')
    await made.run(clicks())
    const before = made.stores()
    expect(before).toEqual([
      'counts a=3',
      'counts b=3',
      'counts c=1',
      'windows a[0=3',
      'windows b[0=3',
      'windows c[0=1',
    ])
    made.world.loseDisk()
    await made.run(clicks())
    expect(made.stores()).toEqual(before)
    await made.click('/0a@4')
    expect(await made.run(clicks())).toMatchObject({ movedRows: 2 })
  })

  it('has the rows of partitions that were added', async () => {
    const made = await site(1)
    await made.click('a@1', 'b@1')
    await made.run(clicks())
    await made.env().log.admin().alter('clicks', { partitions: 3 })
    await made.click('/2a@2', '/1c@2')
    await made.run(clicks())
    const before = made.stores()
    made.world.loseDisk()
    await made.click('/2d@3')
    expect(await made.run(clicks())).toMatchObject({ records: 1 })
    expect(made.stores().filter((line) => !line.includes(' d'))).toEqual(before)
  })

  describe('where a job wants no changelogs', () => {
    it('is lost with the disk', async () => {
      const made = await site()
      await made.click('a@1')
      await made.run(clicks({ changelog: false }))
      expect(await made.env().log.describe([made.changelog('counts')])).toEqual([])
      made.world.loseDisk()
      for (const changelog of [false, true]) {
        const error = await made.fail(clicks({ changelog }))
        expect(error).toMatchObject({ code: 'STATE_MISSING', exit: 76 })
      }
    })

    it('is kept again, whole, once it does', async () => {
      const made = await site()
      await made.click('a@1', 'b@2')
      await made.run(clicks())
      await made.click('b@3')
      await made.run(clicks({ changelog: false }))
      await made.click('c@4')
      await made.run(clicks())
      const before = made.stores()
      made.world.loseDisk()
      await made.run(clicks())
      expect(made.stores()).toEqual(before)
      expect(before).toContain('counts b=2')
    })
  })

  it('is kept whole by the next run where somebody has removed a changelog', async () => {
    const made = await site()
    await made.click('a@1', 'b@2')
    await made.run(clicks())
    await made.env().log.admin().delete(made.changelog('counts'))
    await made.click('c@3')
    await made.run(clicks())
    const before = made.stores()
    made.world.loseDisk()
    await made.run(clicks())
    expect(made.stores()).toEqual(before)
  })

  it('is refused to a job whose store has changed', async () => {
    const made = await site()
    await made.click('a@1')
    await made.run(clicks())
    made.world.loseDisk()
    const changed = { ...clicks(), topology: changedTopology() }
    expect(await made.fail(changed)).toMatchObject({ code: 'STATE_INCOMPATIBLE', exit: 76 })
    expect(await made.run(clicks())).toMatchObject({ status: 'done' })
  })
})

function changedTopology() {
  const { topology } = clicks()
  const nodes = topology.nodes.map((node) => {
    if (node.kind !== 'aggregate') return node
    return { ...node, aggregate: { ...node.aggregate, format: 'another' } }
  })
  return { ...topology, nodes }
}
