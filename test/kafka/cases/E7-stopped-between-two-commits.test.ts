import { existsSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { readAll, record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { comesTrue } from '../support/comes-true.ts'
import { type Machine, MachineJob } from '../support/machine.ts'

const kafka = kafkaBroker()
const BEFORE = { counts: ['a=1', 'b=1'], next: 2 }
const AFTER = { counts: ['a=3', 'b=1'], next: 4 }
const SIGTERM_BIT = 1n << 14n

describe.skipIf(kafka.missing)(
  'E7 iii: SIGTERM when a slice is committed here, and not in Kafka yet',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let bootstrap = ''
    beforeAll(async () => {
      bootstrap = await kafka.bootstrap()
    }, BROKER_TIMEOUT_MS)

    /** A run of the real binary that stands between its two commits, after the first of its two slices. */
    async function betweenCommits() {
      const job = new MachineJob(bootstrap)
      const at = { topic: job.input, partition: 0 }
      await job.log.admin().create({ name: job.input, partitions: 1 })
      await job.log.admin().append(
        singles(
          at,
          ['a', 'b', 'a', 'a'].map((key) => record(key)),
        ),
      )
      const machine = job.machine()
      const run = machine.run([], { CASE_SLICE: '2', TIDEMARK_STEP_HOLD: 'outside-commit@1' })
      await machine.appears(run.steps, 'holding')
      const out = async () => {
        if ((await job.log.describe([job.output])).length === 0) return []
        const read = await readAll(job.log, { topic: job.output, partition: 0 })
        return read.map(({ key, value }) => `${key}=${value}`)
      }
      expect(machine.state()).toEqual(BEFORE)
      expect(await out()).toEqual([])
      const signal = async () => {
        run.child.kill('SIGTERM')
        await comesTrue('the process has taken the signal', async () => !isPending(run.child.pid))
      }
      return { machine, run, out, signal }
    }

    /** The next run on the same machine waits for no lock, and comes to what a clean run does. */
    async function expectTheRest(machine: Machine, out: () => Promise<readonly string[]>): Promise<void> {
      const { status, stdout, stderr } = await machine.run([], { CASE_SLICE: '2' }).ended
      expect({ status, stderr }).toMatchObject({ status: 0 })
      expect(JSON.parse(stdout)).toMatchObject({ status: 'done' })
      expect(machine.state()).toEqual(AFTER)
      expect(await out()).toEqual(['a=1', 'b=1', 'a=2', 'a=3'])
    }

    it('once: the slice is delivered, nothing more is read, and the next run goes on behind it', async () => {
      const { machine, run, out, signal } = await betweenCommits()
      await signal()
      machine.write(`${run.steps}.go`)
      const { status, stdout } = await run.ended
      expect(status).toBe(143)
      expect(JSON.parse(stdout)).toMatchObject({
        status: 'interrupted',
        records: 2,
        error: { code: 'TERMINATED' },
      })
      expect(machine.state()).toEqual(BEFORE)
      expect(await out()).toEqual(['a=1', 'b=1'])
      await expectTheRest(machine, out)
    })

    it('twice: it ends at once, and the next run delivers the slice, once, and goes on', async () => {
      const { machine, run, out, signal } = await betweenCommits()
      await signal()
      await signal()
      machine.write(`${run.steps}.go`)
      expect(await run.ended).toMatchObject({ status: 143, stdout: '' })
      const steps = readFileSync(`${machine.path}/${run.steps}`, 'utf8')
      expect(steps, 'it went on working').not.toContain('delivered')
      expect(machine.state()).toEqual(BEFORE)
      await expectTheRest(machine, out)
    })
  },
)

/** True while a SIGTERM waits for the process: a second one would be one with it. Known on Linux. */
function isPending(pid: number | undefined): boolean {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return false
  const masks = [...readFileSync(file, 'utf8').matchAll(/^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)$/gm)]
  return masks.some(([, mask]) => (BigInt(`0x${mask}`) & SIGTERM_BIT) !== 0n)
}
