import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { cronAlarms } from '../../../src/adapters/cron/cron-alarms.ts'
import { waitUntil } from '../../../src/scheduler/wait-until.ts'
import { expectVerified } from '../helpers/expect-verified.ts'
import { startIn, workplace } from '../helpers/tidemark.ts'

interface Answer {
  readonly jobs: readonly {
    readonly job: string
    readonly done: number
    readonly failed: number
    readonly status: number
  }[]
}

interface Slots {
  readonly slots: readonly {
    readonly cause: string
    readonly state: string
    readonly runId: string | null
    slot: string
  }[]
  readonly pause: { readonly reason: string; readonly until: number | null } | null
}

const HOOK =
  '{ command: [process.execPath, \'-e\', \'require("fs").writeFileSync("told", require("fs").readFileSync(0))\'] }'

function job(name: string, options: string, body = 'stream(input).to(output)'): string {
  return `import { job, json, string, topic } from 'tidemark'
const input = topic('in', { key: string(), value: json<{ n: number }>() })
const output = topic('${name}-out', { key: string(), value: json<{ n: number }>() })
export default job('${name}', { ${options} }, ({ stream }) => { ${body} })
`
}

/** The next second of the clock has come: every job of every second has a slot since. */
function nextSecond(): Promise<void> {
  const next = Math.floor(Date.now() / 1000) * 1000 + 1000
  return waitUntil(cronAlarms, next, new AbortController().signal)
}

describe('schedule --once', { timeout: 90_000 }, () => {
  const here = workplace()
  const once = () => here.run(['schedule', '--once', '--json'])
  const answer = (stdout: string) =>
    (JSON.parse(stdout) as Answer).jobs.map(({ job, done, status }) => ({ job, done, status }))

  beforeAll(async () => {
    here.file('in.jsonl', '{"k":"a","n":1}\n{"k":"b","n":2}\n')
    await here.json('log', 'import', 'in', 'in.jsonl', '--key', 'k')
    here.file('jobs/good.ts', job('good', `schedule: '* * * * * *', overlap: 'skip', onSuccess: ${HOOK}`))
    here.file('jobs/manual.ts', job('manual', ''))
    expect(await here.run(['schedule', '--once'])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('next slot'),
    })
    await nextSecond()
  })

  it('runs what is due, tells the hook, and has a row for each slot', async () => {
    const { status, stdout } = await once()
    expect({ status, jobs: answer(stdout) }).toEqual({ status: 0, jobs: [{ job: 'good', done: 1, status: 0 }] })
    const told = JSON.parse(readFileSync(join(here.path, 'told'), 'utf8'))
    expect(told).toMatchObject({
      event: 'success',
      job: 'good',
      exitStatus: 0,
      attempts: 1,
      records: 2,
      status: 'done',
    })
    const { slots } = await here.json<Slots>('slots', 'good')
    expect(slots.filter(({ runId }) => runId === told.runId).length).toBeGreaterThan(0)
    const { runs } = await here.json<{ runs: { trigger: string }[] }>('runs', 'good')
    expect(runs).toHaveLength(1)
    expect((await here.run(['slots', 'good'])).stdout).toContain(told.runId.slice(0, 8))
  })

  it('leaves a paused job alone, until it is resumed', async () => {
    const paused = await here.run(['pause', 'good', '--reason', 'the disk is full'])
    expect(paused.stdout).toMatch(/^good is paused since \S+: the disk is full\n/)
    await nextSecond()
    expect(answer((await once()).stdout)).toEqual([{ job: 'good', done: 0, status: 0 }])
    const { slots, pause } = await here.json<Slots>('slots', 'good')
    expect(pause).toMatchObject({ reason: 'the disk is full', until: null })
    expect(slots[0]).toMatchObject({ cause: 'paused', state: 'skipped' })
    expect((await here.run(['resume', 'good'])).stdout).toContain('good is resumed')
    expect((await here.run(['resume', 'good'])).stdout).toContain('good is not paused')
    await nextSecond()
    expect(answer((await once()).stdout)).toEqual([{ job: 'good', done: 1, status: 0 }])
    const after = await here.json<Slots>('slots', 'good')
    expect(after.slots.find(({ slot }) => slot === slots[0]?.slot)).toMatchObject({ cause: 'paused', state: 'covered' })
  })

  it('ends with the status of a run that fails, and with 78 for a broken job; the others run', async () => {
    here.file(
      'jobs/bad.ts',
      job('bad', "schedule: '* * * * * *'", "stream(input).peek(() => { throw new Error('no') }).to(output)"),
    )
    await once()
    await nextSecond()
    const failing = await once()
    expect({ status: failing.status, jobs: answer(failing.stdout) }).toEqual({
      status: 70,
      jobs: [
        { job: 'bad', done: 0, status: 70 },
        { job: 'good', done: 1, status: 0 },
      ],
    })
    expect(failing.stderr).toContain('bad: run')
    here.file('jobs/bad.ts', job('bad', "schedule: '61 * * * *'"))
    await nextSecond()
    const broken = await once()
    expect(broken).toMatchObject({ status: 78, stderr: expect.stringContaining('the minute "61"') })
    expect((JSON.parse(broken.stdout) as Answer).jobs).toMatchObject([{ job: 'good', done: 1 }, { job: 'bad' }])
    expect((await here.run(['schedule', 'good', '--once'])).status).toBe(0)
  })

  it('makes a run now, due or not', async () => {
    const { status, stdout } = await here.run(['schedule', 'good', '--now', '--json'])
    expect({ status, jobs: answer(stdout) }).toMatchObject({ status: 0, jobs: [{ job: 'good' }] })
    const { runs } = await here.json<{ runs: { trigger: string }[] }>('runs', 'good')
    expect(runs.map(({ trigger }) => trigger)).toContain('now')
    await expectVerified({ start: (args) => startIn(here.path, args) }, 'good')
  })

  it.each([
    [['schedule', 'manual', '--once'], 78, 'manual has no schedule'],
    [['schedule', 'nobody', '--once'], 78, 'there is no job nobody'],
    [['schedule', '--jobs', 'nowhere'], 78, 'no job in nowhere has a schedule'],
    [['schedule', 'good', '--max-runs', '0'], 64, '--max-runs cannot be 0'],
    [['slots', 'nobody'], 78, 'there is no job nobody'],
    [['pause', 'nobody'], 78, 'there is no job nobody'],
  ])('%j ends with %d', async (args, status, message) => {
    expect(await here.run(args)).toMatchObject({ status, stderr: expect.stringContaining(message) })
  })
})
