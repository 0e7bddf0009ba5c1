import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { MachineJob } from '../support/machine.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('E3: what a dead run leaves behind', { timeout: BROKER_TIMEOUT_MS }, () => {
  beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

  /** A machine whose run was killed with a lease of so long. */
  async function dead(lease: string) {
    const job = new MachineJob(await kafka.bootstrap())
    const at = { topic: job.input, partition: 0 }
    await job.log.admin().create({ name: job.input, partitions: 1 })
    const keys = ['a', 'b', 'a']
    await job.log.admin().append([
      batchOf(
        at,
        keys.map((key) => record(key)),
      ),
    ])
    const machine = job.machine()
    const killed = machine.run([], { CASE_SLICE: '1', TIDEMARK_LEASE: lease, TIDEMARK_STEP_HOLD: 'process@2' })
    await machine.appears(killed.steps, 'holding')
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toMatchObject({ status: null })
    return { job, machine }
  }
  const ALL = { counts: ['a=2', 'b=1'], next: 3 }

  it('is nothing in its own way: it starts at once (a)', async () => {
    const { machine } = await dead('5m')
    expect(await machine.run().ended).toMatchObject({ status: 0 })
    expect(machine.state()).toEqual(ALL)
  })

  it('is a lease that keeps other machines out, by name and time, and they leave no trace (d)', async () => {
    const { job } = await dead('5m')
    const other = job.machine()
    const { status, stderr } = await other.run().ended
    expect({ status, stderr }).toMatchObject({ status: 75, stderr: expect.stringMatching(/until \d{4}-.*LEASED/s) })
    expect(other.state()).toBeUndefined()
  })

  it('is over when the lease is over: another machine starts from what was committed (e)', async () => {
    const { job } = await dead('1ms')
    const other = job.machine()
    expect(await other.run().ended).toMatchObject({ status: 0 })
    expect(other.state()).toEqual(ALL)
  })
})
