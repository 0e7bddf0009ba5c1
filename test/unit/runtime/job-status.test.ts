import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryTransaction } from '../../../src/adapters/memory/log-transaction.ts'
import { nextSlotOf, statusNotices } from '../../../src/cli/output/status-words.ts'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { jobStatus } from '../../../src/runtime/job-status.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { counting, NOW, OUT, Site } from './support/site.ts'

/** The log as one on another machine, where a transaction stays open when its producer dies. */
function remote(site: Site): Environment {
  return { ...site.env(), log: new MemoryLog(site.cluster, true) }
}

function openTransaction(site: Site): MemoryTransaction {
  const transaction = new MemoryTransaction(site.cluster)
  const writer = new BatchWriter()
  writer.append(0, 'a', Buffer.from('1'), NO_HEADERS)
  transaction.append([{ topic: OUT.name, partition: 0, records: 1, bytes: writer.finish() }])
  return transaction
}

describe('the status of a job', () => {
  it('tells an open transaction that holds back readers of its outputs, and that nobody is alive to end it', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    expect(await jobStatus(remote(site), 'j')).toMatchObject({ heldBack: null })
    const transaction = openTransaction(site)
    const status = await jobStatus(remote(site), 'j')
    expect(status.heldBack).toMatchObject({ topics: { out: 1 }, here: true, leaseUntil: 0, dead: true })
    expect(statusNotices({ ...status, nextSlot: null }).join()).toMatch(/1 offset of out.*No run of the job is alive/)
    expect((await jobStatus(site.env(), 'j')).heldBack).toBeNull()
    transaction.abort()
    expect(await jobStatus(remote(site), 'j')).toMatchObject({ heldBack: null })
  })

  it('tells until when the run may be alive whose transaction it is', async () => {
    const site = await Site.with('abcd')
    await site.run(counting)
    await site.write('abcd')
    await site.die(counting, 'process', 2)
    openTransaction(site)
    const status = await jobStatus(remote(site), 'j')
    expect(status.heldBack).toMatchObject({ leaseUntil: NOW + 300_000, dead: false })
    site.clock.set(NOW + 300_000)
    expect((await jobStatus(remote(site), 'j')).heldBack).toMatchObject({ dead: true })
  })

  it('tells the next slot, or why there is none', async () => {
    const site = await Site.with('ab')
    await site.run(counting)
    expect(await jobStatus(site.env(), 'j')).toMatchObject({ schedule: null })
    const { schedule } = site.env().state.jobFile('j')
    schedule.decide({ expression: '0 */6 * * *', timezone: 'UTC', since: 0, decidedTo: NOW }, [])
    const status = await jobStatus(site.env(), 'j')
    expect(nextSlotOf(status, NOW)).toBe('1970-01-12T18:00:00.000Z')
    schedule.pause(NOW, 'the disk is full')
    const paused = await jobStatus(site.env(), 'j')
    expect(nextSlotOf(paused, NOW)).toBeNull()
    expect(statusNotices({ ...paused, nextSlot: null })).toMatchObject([expect.stringContaining('the disk is full')])
  })
})
