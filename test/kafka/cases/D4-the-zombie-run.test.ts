import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, readAll, record } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { MachineJob } from '../support/machine.ts'

const kafka = kafkaBroker()
/** Ten records, then two more. */
const KEYS = ['a', 'b', 'a', 'c', 'a', 'z', 'b', 'a', 'c', 'a']
const MORE = ['b', 'd']

describe.skipIf(kafka.missing)(
  'D4: a run that wakes after another machine has done its work',
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    beforeAll(() => kafka.bootstrap(), BROKER_TIMEOUT_MS)

    it('is fenced, leaves nothing behind, and its next start takes over what the other has', async () => {
      const job = new MachineJob(await kafka.bootstrap())
      const at = { topic: job.input, partition: 0 }
      await job.log.admin().create({ name: job.input, partitions: 1 })
      const append = (keys: readonly string[]) =>
        job.log.admin().append([
          batchOf(
            at,
            keys.map((key) => record(key)),
          ),
        ])
      await append(KEYS)
      const [a, b] = [job.machine(), job.machine()]

      const zombie = a.run([], { CASE_WAIT_AT: 'z', CASE_SLICE: '2' })
      await a.appears('working')
      zombie.child.kill('SIGSTOP')
      expect(await b.run().ended).toMatchObject({ status: 75, stderr: expect.stringContaining('LEASED') })
      expect(await b.run(['--take-over']).ended).toMatchObject({ status: 0 })
      await append(MORE)
      expect(await b.run().ended).toMatchObject({ status: 0 })
      const published = async () => {
        const records = await readAll(job.log, { topic: job.output, partition: 0 })
        return records.map(({ key, value }) => `${key}=${value}`)
      }
      const before = await published()

      a.write('go')
      zombie.child.kill('SIGCONT')
      const { status, stderr } = await zombie.ended
      expect({ status, stderr }).toMatchObject({ status: 75, stderr: expect.stringMatching(/taken over .*FENCED/s) })
      expect(await published()).toEqual(before)
      expect(counted(before)).toEqual(counted(expectedOutput([...KEYS, ...MORE])))

      const again = await a.run().ended
      expect({ status: again.status, stderr: again.stderr }).toMatchObject({ status: 0 })
      expect(a.state()).toEqual(b.state())
      expect(a.state()).toEqual({ counts: ['a=5', 'b=3', 'c=2', 'd=1', 'z=1'], next: KEYS.length + MORE.length })
      expect(await published()).toEqual(before)
    }, 60_000)
  },
)

function expectedOutput(keys: readonly string[]): readonly string[] {
  return keys.map((key, index) => `${key}=${keys.slice(0, index + 1).filter((each) => each === key).length}`)
}

/** Each output, and how often it is there: nothing is twice and nothing is missing. */
function counted(outputs: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const output of outputs) counts[output] = (counts[output] ?? 0) + 1
  return counts
}
