import { beforeAll, describe, expect, it } from 'vitest'
import type { JobStatus } from '../../../src/runtime/job-status.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { startIn } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { type Machine, MachineJob } from '../support/machine.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('status', { timeout: BROKER_TIMEOUT_MS }, () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

  it('says whose run is at work, that one has died and holds readers back, and when that is over', async () => {
    const bootstrap = await kafka.bootstrap()
    const job = new MachineJob(bootstrap)
    const at = { topic: job.input, partition: 0 }
    await job.log.admin().create({ name: job.input, partitions: 1 })
    const append = (key: string) => job.log.admin().append([batchOf(at, [record(key)])])
    const [first, second] = [job.machine(), job.machine()]
    const status = async ({ path }: Machine) => {
      const args = ['status', '--json', '--log', `kafka://${bootstrap}`]
      const ended = await startIn(path, args).ended
      expect(ended.status).toBe(0)
      const { jobs } = JSON.parse(ended.stdout) as { readonly jobs: readonly JobStatus[] }
      return { lease: jobs[0]?.lease, words: ended.stderr }
    }
    const heldBack = async () => {
      const [bounds] = await job.log.bounds([{ topic: job.output, partition: 0 }], 'read_committed')
      return (bounds?.highWatermark ?? 0) - (bounds?.end ?? 0)
    }
    await append('a')
    expect(await second.run().ended).toMatchObject({ status: 0 })
    expect(await first.run().ended).toMatchObject({ status: 0 })
    expect(await status(first)).toEqual({ lease: null, words: '' })

    await append('b')
    const held = first.run([], { TIDEMARK_STEP_HOLD: 'store-begin@1' })
    await first.appears(held.steps, 'holding')
    expect(await status(first)).toMatchObject({ lease: { own: true, dead: false } })
    expect(await status(second)).toMatchObject({
      lease: { own: false, dead: false },
      words: expect.stringMatching(/runs it, or has died at it; nobody else can before 20/),
    })
    held.child.kill('SIGKILL')
    await held.ended
    expect(await heldBack()).toBeGreaterThan(0)
    expect(await status(first)).toMatchObject({
      lease: { own: true, dead: true, until: expect.any(Number) },
      words: expect.stringMatching(/its run has died, and holds back those who read what it writes until 20/),
    })
    expect(await first.run().ended).toMatchObject({ status: 0 })
    expect(await heldBack()).toBe(0)
    expect(await status(first)).toEqual({ lease: null, words: '' })
  })
})
