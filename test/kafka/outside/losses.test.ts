import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { commitAfter, deliver, delivery, plain } from '../../contract/outside/commits.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { outsideWorld } from './world.ts'
import { losing } from './worse-brokers.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('a way out to Kafka on which messages are lost', () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)
  const { name, log, outside, keys } = outsideWorld()
  beforeEach(async () => {
    await log()
      .admin()
      .create({ name: name('out'), partitions: 2 })
  })
  const batch = (key: string, partition = 0) => batchOf({ topic: name('out'), partition }, [record(key)])

  it.each(
    ['InitProducerId', 'AddPartitionsToTxn', 'Produce', 'EndTxn'].flatMap((of) => [
      { of, what: 'request' as const },
      { of, what: 'answer' as const },
    ]),
  )('asks again when the $what of $of is lost, and delivers once', async (lost) => {
    let losses = 0
    const loss = { ...lost, times: 2, onLoss: () => losses++ }
    const out = outside({ worsen: (brokers) => losing(brokers, loss) })
    await out.claim(delivery('A'), 0, false)
    const first = commitAfter(null, 'A')
    await deliver(out, [batch('a'), batch('x', 1), batch('b')], first)
    const second = commitAfter(first, 'A')
    await deliver(out, [batch('c')], second)
    expect(losses).toBe(2)
    expect(await keys('out')).toEqual(['a', 'b', 'c'])
    expect(await keys('out', 1)).toEqual(['x'])
    expect(plain(await outside().read())).toEqual(plain(second))
  })

  it('looks for a commit whose answer never comes before it calls it failed', async () => {
    const worsen = (brokers: Parameters<typeof losing>[0]) =>
      losing(brokers, { of: 'EndTxn', what: 'answer', times: Number.POSITIVE_INFINITY })
    const out = outside({ worsen, retryForMs: 300 })
    await out.begin()
    await out.send([batch('a')])
    await out.acknowledged()
    const first = commitAfter(null, 'A')
    await out.commit(first)
    expect(await keys('out')).toEqual(['a'])
    expect(plain(await outside().read())).toEqual(plain(first))
  })

  it('says that a commit is not known to be done where it is not to be found; the next start delivers it again', async () => {
    const worsen = (brokers: Parameters<typeof losing>[0]) =>
      losing(brokers, { of: 'EndTxn', what: 'request', times: Number.POSITIVE_INFINITY })
    const out = outside({ worsen, retryForMs: 300 })
    const first = commitAfter(null, 'A')
    await expect(deliver(out, [batch('a')], first)).rejects.toMatchObject({ code: 'LOG_UNREACHABLE', exit: 69 })
    await expect(out.begin()).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
    expect(await keys('out')).toEqual([])
    await out.close()
    const next = outside()
    await next.claim(delivery('A'), 0, false)
    await deliver(next, [batch('a')], first)
    expect(await keys('out')).toEqual(['a'])
    expect(plain(await next.read())).toEqual(plain(first))
  })

  it('does nothing more where it is not known what the brokers have got', async () => {
    const worsen = (brokers: Parameters<typeof losing>[0]) =>
      losing(brokers, { of: 'Produce', what: 'request', times: Number.POSITIVE_INFINITY })
    const out = outside({ worsen, retryForMs: 300 })
    await out.begin()
    await out.send([batch('a')])
    await expect(out.acknowledged()).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
    await out.abort()
    await expect(out.claim(delivery('A'), 0, false)).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
    await deliver(outside(), [batch('b')], commitAfter(null, 'A'))
    expect(await keys('out')).toEqual(['b'])
  })

  it('says so where the coordinator has given the transaction up, and does nothing more', async () => {
    const out = outside({ transactionTimeoutMs: 500 })
    await out.claim(delivery('A'), 0, false)
    await out.begin()
    await out.send([batch('late')])
    const at = [{ topic: name('out'), partition: 0 }]
    for (let open = true; open; ) {
      const [bounds] = await log().bounds(at, 'read_committed')
      open = bounds?.end === 0
    }
    const failure = await out.acknowledged().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'LOG_UNREACHABLE', hint: expect.stringContaining('slices smaller') })
    await expect(out.commit(commitAfter(null, 'A'))).rejects.toBe(failure)
    await out.abort()
    await expect(out.claim(delivery('A'), 0, false)).rejects.toBe(failure)
    expect(await keys('out')).toEqual([])
    await deliver(outside(), [batch('b')], commitAfter(null, 'A'))
    expect(await keys('out')).toEqual(['b'])
  })

  it('tells who has taken over, also after the transaction would have been given up', async () => {
    const out = outside({ transactionTimeoutMs: 500 })
    await out.claim(delivery('A', { leaseUntil: 1000 }), 500, false)
    await out.begin()
    await out.send([batch('zombie')])
    const other = outside()
    await other.claim(delivery('B', { leaseUntil: 5000 }), 2000, false)
    const failure = await out.acknowledged().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'FENCED', message: expect.stringContaining('instance B') })
    await expect(out.begin()).rejects.toBe(failure)
  })
})
