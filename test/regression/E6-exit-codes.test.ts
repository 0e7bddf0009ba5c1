import { describe, expect, it } from 'vitest'
import { Binary, jobFile } from './support/binary.ts'
import waiting from './support/waiting-job.ts'

const RUN = ['run', jobFile('waiting-job')]

describe('E6: the exit status of a run tells the truth', () => {
  async function given(...records: readonly string[]): Promise<Binary> {
    const binary = new Binary()
    await binary.field.topic('in', 2)
    await binary.field.write('in', ...records)
    return binary
  }
  const status = async (binary: Binary, args = RUN) => (await binary.run(args)).status

  it('done is 0, and so is nothing to do', async () => {
    const binary = await given('p0/0 a→1')
    expect(await status(binary)).toBe(0)
    expect(await status(binary)).toBe(0)
    expect(await status(await given())).toBe(0)
  })

  it('bad data under the fail policy is 65, also where it is in one partition of two', async () => {
    const binary = await given('p0/0 a→1', 'p1/0 b→{bad')
    expect(await binary.run(RUN)).toMatchObject({ status: 65, stderr: expect.stringContaining('in[1]@0') })
    expect(binary.field.checkpoint(waiting)).toBeNull()
  })

  it('lost input is 66, and so is a topic that is not there', async () => {
    const binary = await given('p0/0 a→1')
    expect(await status(binary)).toBe(0)
    await binary.field.write('in', 'p0/1 a→1', 'p0/2 a→1')
    await binary.field.log.admin().trim({ topic: 'in', partition: 0 }, 2)
    expect(await status(binary)).toBe(66)
    await binary.field.log.admin().delete('in')
    expect(await status(binary)).toBe(66)
  })

  it('a wrong bound is 64, a wrong job file 78', async () => {
    const binary = await given('p0/0 a→1')
    expect(await status(binary, [...RUN, '--from', '5', '--to', '2'])).toBe(64)
    binary.write('broken.ts', 'export default 42')
    expect(await status(binary, ['run', './broken.ts'])).toBe(78)
  })

  it('a job that is running is 75', async () => {
    const binary = await given('p0/0 a→1')
    const { step } = binary.start(RUN, { TIDEMARK_STEP_HOLD: 'send@1' })
    await step('holding')
    expect(await binary.run(RUN)).toMatchObject({ status: 75, stderr: expect.stringContaining('LOCKED') })
  })

  it('SIGTERM is 143, SIGINT is 130', async () => {
    for (const [signal, exit] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const binary = await given(...Array.from({ length: 40 }, (_, index) => `p0/${index} k${index}→1`))
      const { child, ended } = binary.start(RUN, { CASE_WAIT_AT: 'k0' })
      await binary.appears('working')
      child.kill(signal)
      binary.write('go', '')
      expect((await ended).status).toBe(exit)
      expect(binary.field.checkpoint(waiting)?.['in/0']).toBeLessThan(40)
      expect(await status(binary)).toBe(0)
      expect(binary.field.checkpoint(waiting)?.['in/0']).toBe(40)
    }
  })

  it('a rejection that nobody awaits is not 0', async () => {
    const binary = await given('p0/0 a→1')
    const { status, stderr } = await binary.run(['run', jobFile('rejecting-job')])
    expect(status).toBe(70)
    expect(stderr).toContain('nobody waits for this')
  })
})
