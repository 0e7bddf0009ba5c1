import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ChildRuns } from '../../../src/adapters/processes/child-runs.ts'
import { lastDocument } from '../../../src/adapters/processes/last-document.ts'
import type { RunOrder } from '../../../src/ports/run-launcher.ts'

const STAND_IN = fileURLToPath(new URL('./stand-in.js', import.meta.url))
const ORDER: RunOrder = { job: 'orders', trigger: 'catch-up', until: null, advanceTime: false }

function launch(what: string, order = ORDER, command: [string, ...string[]] = [process.execPath, STAND_IN]) {
  return new ChildRuns(command, { ...process.env, WHAT: what, TIDEMARK_LOG: 'sqlite:here' }).launch(order)
}

describe('a run as a process', () => {
  it('is `run --json` with what was ordered; the log is not among its arguments', async () => {
    const { status, report, problem } = await launch('0').ended
    expect({ status, problem }).toEqual({ status: 0, problem: null })
    const common = ['run', 'orders', '--json', '--stop-with-stdin', '--trigger', 'catch-up']
    expect(report).toEqual({ args: common, log: 'sqlite:here', runId: 'run-1' })
    const order = { ...ORDER, until: Date.parse('2025-10-26T05:00Z'), advanceTime: true }
    const bounded = await launch('0', order).ended
    expect(bounded.report?.args).toEqual([...common, '--to', '2025-10-26T05:00:00.000Z', '--advance-time'])
  })

  it.each([69, 143])('ends with its exit status: %d', async (status) => {
    expect(await launch(String(status)).ended).toMatchObject({ status, report: { runId: 'run-1' }, problem: null })
  })

  it('is asked to stop by the end of its stdin, twice and after it ended too', async () => {
    const run = launch('wait')
    run.stop()
    run.stop()
    expect(await run.ended).toMatchObject({ status: 143 })
    run.stop()
    run.kill()
  })

  it('is killed', async () => {
    const run = launch('wait')
    run.kill()
    expect(await run.ended).toEqual({ status: null, report: null, problem: 'killed by SIGKILL' })
  })

  it('that cannot be started has ended too', async () => {
    const { status, problem } = await launch('0', ORDER, ['/no/such/program']).ended
    expect({ status, problem }).toEqual({ status: null, problem: expect.stringContaining('not started: ') })
  })

  it('may print what it likes', async () => {
    expect((await launch('noise').ended).report).toMatchObject({ runId: 'run-1' })
    expect((await launch('flood').ended).report).toMatchObject({ runId: 'run-1' })
  })

  it('has ended although something that it started holds on to its output', async () => {
    const { status, report } = await launch('leave-something').ended
    expect(status).toBe(0)
    process.kill(Number(report?.left), 'SIGKILL')
  })
})

it.each([
  ['', null],
  ['nothing\n{broken\n', null],
  ['[1]\n', null],
  ['{"a":1}\n{"b":2}\n', { b: 2 }],
  ['{"a":1}\n{ no\n', { a: 1 }],
])('the last document of %j', (stdout, document) => {
  expect(lastDocument(stdout)).toEqual(document)
})
