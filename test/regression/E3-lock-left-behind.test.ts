import { once } from 'node:events'
import { expect, it } from 'vitest'
import { Binary, jobFile } from './support/binary.ts'
import waiting from './support/waiting-job.ts'

const RUN = ['run', jobFile('waiting-job')]

it.each(['process@2', 'store-write@2', 'outside-commit@2'])(
  'a run killed at %s leaves no lock: the next starts at once',
  async (hold) => {
    const binary = new Binary()
    const { field } = binary
    await field.topic('in')
    await field.write('in', 'p0/0 a→1', 'p0/1 b→1', 'p0/2 a→1')
    const { child, step } = binary.start(RUN, { CASE_SLICE: '1', TIDEMARK_STEP_HOLD: hold })
    await step('holding')
    expect(await binary.run(RUN)).toMatchObject({ status: 75, stderr: expect.stringContaining(`process ${child.pid}`) })
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect((await binary.run(RUN, { CASE_SLICE: '1' })).status).toBe(0)
    expect(field.checkpoint(waiting)).toEqual({ 'in/0': 3 })
    expect(field.store(waiting, 'counts')).toEqual(['a=2', 'b=1'])
    expect(await field.out('out')).toEqual(['a→1 @0', 'b→1 @0', 'a→2 @0'])
  },
)
