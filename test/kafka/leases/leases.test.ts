import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Chain } from '../../e2e/crash/chain.ts'
import { type Outcome, outcome, stateOf } from '../../e2e/crash/outcome.ts'
import { newStepFile, until } from '../../e2e/crash/steps-taken.ts'
import { JOB } from '../../e2e/crash/till.ts'
import { type Ended, type Started, workplace } from '../../e2e/helpers/tidemark.ts'
import { KafkaTill } from '../crash/kafka-till.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'

const RUN = ['run', JOB, '--json']
/** So long that a slice of a busy machine is over by then. */
const SHORT_LEASE = { TIDEMARK_LEASE: '8s' }
const kafka = kafkaBroker()

describe.skipIf(kafka.missing)('two machines that run one job', { timeout: 180_000 }, () => {
  const input = workplace()
  const runs = workplace()
  let till: KafkaTill
  let chain: Chain
  let undisturbed: Outcome

  beforeAll(async () => {
    till = new KafkaTill(await kafka.bootstrap(), input, runs)
    await till.prepare()
    chain = await till.chain()
    expect(await chain.start(RUN).ended).toMatchObject({ status: 0 })
    undisturbed = await outcome(chain)
  }, 2 * BROKER_TIMEOUT_MS)
  beforeEach(async () => {
    chain = await till.chain()
  }, BROKER_TIMEOUT_MS)

  /** A machine of its own: its state directory. */
  const machine = (name: string): Chain => ({
    ...chain,
    folder: join(chain.folder, name),
    start: (args, env) => chain.start([...args, '--state-dir', join(name, '.tidemark')], env),
  })

  /** Starts a run and resolves when it has entered so many steps, or stands at the one where it is held. */
  async function underWay({ start }: Chain, args: readonly string[] = [], env: Record<string, string> = {}) {
    const steps = newStepFile(join(chain.folder, `steps-${++files}`))
    const run = start([...RUN, ...args], { ...env, TIDEMARK_STEP_FILE: steps })
    const held = 'TIDEMARK_STEP_HOLD' in env
    const enough = (taken: readonly string[]) => (held ? taken.at(-1) === 'holding' : taken.length >= 20)
    expect(await until(steps, run, enough), 'the run ended too soon').toBe(true)
    return run
  }
  let files = 0

  /** Runs as soon as no other's lease is in the way. */
  async function runOnceFree({ start }: Chain, env: Record<string, string>): Promise<Ended> {
    for (;;) {
      const ended = await start(RUN, env).ended
      if (ended.status !== 75) return ended
    }
  }

  const codeOf = ({ status, stdout, stderr }: Ended) => ({
    status,
    code: /"code": ?"(\w+)"/.exec(stdout)?.[1] ?? /code: (\w+)/.exec(stderr)?.[1],
  })

  const wake = async ({ child, ended }: Started) => {
    child.kill('SIGCONT')
    return await ended
  }

  /** What machines must agree on once all have run. */
  async function expectAgreement(...machines: readonly Chain[]): Promise<void> {
    for (const each of machines) {
      expect(await each.start(RUN).ended).toMatchObject({ status: 0, stdout: expect.stringMatching(/"records": ?0,/) })
    }
    for (const each of machines) expect(stateOf(each).stores).toEqual(undisturbed.stores)
    expect((await outcome(machines[0] as Chain)).outputs).toEqual(undisturbed.outputs)
  }

  /** True where the state was dropped and came back from the changelogs. */
  async function wasRestored({ start, job }: Chain): Promise<boolean> {
    const { stdout } = await start(['runs', job, '--limit', '1000', '--json']).ended
    const { runs } = JSON.parse(stdout) as { readonly runs: readonly { readonly trigger: string }[] }
    return runs.some(({ trigger }) => trigger === 'restore')
  }

  it('the second is sent away at once while the lease of the first is live, dead or not', async () => {
    const [a, b] = [machine('a'), machine('b')]
    const first = await underWay(a, [], { TIDEMARK_STEP_HOLD: 'process@3' })
    expect(codeOf(await b.start(RUN).ended)).toEqual({ status: 75, code: 'LEASED' })
    first.child.kill('SIGKILL')
    await first.ended
    expect(codeOf(await b.start(RUN).ended)).toEqual({ status: 75, code: 'LEASED' })
    expect(await a.start(RUN).ended).toMatchObject({ status: 0 })
    await expectAgreement(a, b)
  })

  it('one that is paused until its lease is over is fenced when it wakes, and starts again from the state of the other', async () => {
    const [a, b] = [machine('a'), machine('b')]
    const paused = await underWay(a, [], SHORT_LEASE)
    paused.child.kill('SIGSTOP')
    expect(await runOnceFree(b, SHORT_LEASE)).toMatchObject({ status: 0 })
    expect(codeOf(await wake(paused))).toEqual({ status: 75, code: 'FENCED' })
    await expectAgreement(a, b)
    expect(await wasRestored(a)).toBe(true)
  })

  it('one that dies between its two commits has delivered nothing, and the other does its work', async () => {
    const [a, b] = [machine('a'), machine('b')]
    const dead = await underWay(a, [], { ...SHORT_LEASE, TIDEMARK_STEP_HOLD: 'outside-commit@3' })
    dead.child.kill('SIGKILL')
    await dead.ended
    expect(await runOnceFree(b, SHORT_LEASE)).toMatchObject({ status: 0 })
    await expectAgreement(a, b)
    expect(await wasRestored(a)).toBe(true)
  })

  it('two that are taken over, one after the other, are fenced both', async () => {
    const [a, b, c] = [machine('a'), machine('b'), machine('c')]
    const first = await underWay(a)
    first.child.kill('SIGSTOP')
    const second = await underWay(b, ['--take-over'])
    second.child.kill('SIGSTOP')
    expect(await c.start([...RUN, '--take-over']).ended).toMatchObject({ status: 0 })
    expect(codeOf(await wake(first))).toEqual({ status: 75, code: 'FENCED' })
    expect(codeOf(await wake(second))).toEqual({ status: 75, code: 'FENCED' })
    await expectAgreement(a, b, c)
  })
})
