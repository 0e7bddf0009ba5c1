import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { workplace } from '../helpers/tidemark.ts'
import { asJsonLines, RIGHT, tally, WRONG } from './shops.ts'

const TOPICS = { sales: 'sales', totals: 'totals' }

interface Scheduled {
  readonly jobs: readonly object[]
}

describe('two versions of a job in one folder', () => {
  const here = workplace()
  const generation = async (...args: readonly string[]) =>
    (await here.json<{ generation: string }>('run', ...args)).generation
  const total = async () => {
    const { rows } = await here.json<{ rows: { key: string; value: number }[] }>('state', 'tally', 'total')
    return rows.map(({ key, value }) => `${key}=${value}`)
  }
  const sell = async (...sales: readonly string[]) => {
    here.file('sales.jsonl', asJsonLines(sales))
    await here.json('log', 'import', 'sales', 'sales.jsonl', '--key', 'shop')
  }

  beforeAll(async () => {
    here.file('jobs/tally.ts', tally(WRONG, TOPICS))
    await sell('a 1.5')
    await here.json('run', 'tally')
    here.file('jobs/a-new-one.ts', tally(RIGHT, TOPICS))
  }, 60_000)

  it('schedules the live one, whatever the other is called', { timeout: 60_000 }, async () => {
    await sell('a 1.5')
    const { status, stdout, stderr } = await here.run(['schedule', '--now', 'tally', 'a-new-one', '--json'])
    expect({ status, stderr }).toMatchObject({ status: 78, stderr: expect.stringContaining('both called tally') })
    expect((JSON.parse(stdout) as Scheduled).jobs).toMatchObject([
      { job: 'tally', done: 1 },
      { job: 'a-new-one', error: { code: 'JOB_INVALID' } },
    ])
    expect(await total()).toEqual(['a=2'])
  })

  it('runs the live one by the name of either, from the switch on the new one', { timeout: 60_000 }, async () => {
    await here.json('reprocess', 'tally', '--as', 'g2', '--with', 'jobs/a-new-one.ts')
    await sell('a 1.5')
    expect(await generation('a-new-one')).toBe('g1')
    expect(await total()).toEqual(['a=3'])
    await here.json('switch', 'tally', 'g2')
    await sell('a 1.5')
    expect(await generation('jobs/tally.ts')).toBe('g2')
    expect(await total()).toEqual(['a=6'])
  })

  it('takes the file that is found where the live one is gone', { timeout: 60_000 }, async () => {
    here.file('jobs/tally.ts', tally(RIGHT, TOPICS))
    rmSync(join(here.path, 'jobs/a-new-one.ts'))
    await sell('a 1.5')
    expect(await generation('tally')).toBe('g2')
    expect(await total()).toEqual(['a=7.5'])
    expect(await here.run(['rollback', 'tally'])).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('is not what it was'),
    })
  })
})
