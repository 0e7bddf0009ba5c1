import { type Job, job, string, topic } from 'tidemark'
import { expect, it } from 'vitest'
import { TidemarkError } from '../../../src/core/errors.ts'
import type { Outside } from '../../../src/ports/outside.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'
import { IN, Site } from './support/site.ts'

const LARGE = topic('large', { key: string(), value: string() })
/** As many records make several megabytes. */
const KEYS = 'x'.repeat(64)

/** Makes 100 kB of each record; `taken` is told of each, and may throw. */
function growing(taken: (value: number) => void): Job {
  return job('j', {}, ({ stream }) => {
    stream(IN)
      .peek(taken)
      .mapValues((value) => String(value).padEnd(100_000, '.'))
      .to(LARGE)
  })
}

/** A log that tells what is asked of the way out. */
function telling(env: Environment, tell: (what: string) => void): Environment {
  const log = new Proxy(env.log, {
    get: (target, name) => {
      if (name !== 'outside') return bound(target, name)
      return async (...args: Parameters<Environment['log']['outside']>) => {
        const outside: Outside = await target.outside(...args)
        return new Proxy(outside, {
          get: (way, what) => {
            if (what === 'begin' || what === 'send' || what === 'abort' || what === 'commit') tell(what)
            return bound(way, what)
          },
        })
      }
    },
  })
  return { ...env, log }
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target)
  return typeof value === 'function' ? value.bind(target) : value
}

async function published(site: Site): Promise<readonly string[]> {
  if ((await site.log.describe([LARGE.name])).length === 0) return []
  const records = await readTopic(site.log, LARGE, new Map())
  return records.map(({ value }) => String(value).slice(0, 2).replace('.', ''))
}

it('what a slice makes goes out while it is processed, once, in one transaction', async () => {
  const site = await Site.with(KEYS)
  const told: string[] = []
  let taken = 0
  const what = growing(() => taken++)
  await site.run(what, {}, { change: (env) => telling(env, (what) => told.push(`${what} ${taken}`)) })
  const sent = told.filter((each) => each.startsWith('send'))
  expect(sent.length).toBeGreaterThan(2)
  const begun = told.filter((each) => each.startsWith('begin'))
  expect(begun).toEqual([told[0]])
  expect(Number(begun[0]?.split(' ')[1])).toBeLessThan(KEYS.length)
  expect(told.at(-1)).toBe(`commit ${KEYS.length}`)
  expect(await published(site)).toEqual([...KEYS].map((_, index) => String(index)))
})

it('what was sent of a slice that fails is dropped before the run ends, and made again by the next', async () => {
  const site = await Site.with(KEYS)
  const told: string[] = []
  const last = KEYS.length - 1
  const failing = growing((value) => {
    if (value === last) throw new Error('not this one')
  })
  const change = (env: Environment) => telling(env, (what) => told.push(what))
  expect(await site.fail(failing, {}, { change })).toMatchObject({ code: 'USER_CODE_FAILED' })
  expect(told.slice(0, 2)).toEqual(['begin', 'send'])
  expect(told).toContain('abort')
  expect(await published(site)).toEqual([])
  await site.run(growing(() => {}))
  expect(await published(site)).toHaveLength(KEYS.length)
})

it('what is refused while the slice is processed comes out when it ends, and nothing is committed', async () => {
  const site = await Site.with(KEYS)
  await site.log.admin().create({ name: LARGE.name, partitions: 1, settings: { 'max.message.bytes': '50000' } })
  const refused = await site.fail(growing(() => {}))
  expect(refused).toMatchObject({ code: 'OUTPUT_REFUSED', at: { topic: LARGE.name } })
  expect(site.checkpoint()).toBeNull()
  expect(await published(site)).toEqual([])
})

it('a slice that is stored, and has not arrived when the log goes away, counts in the row of the run', async () => {
  const site = await Site.with('ab')
  const gone = (env: Environment): Environment => {
    const told = telling(env, (what) => {
      if (what === 'commit') throw new TidemarkError('LOG_UNREACHABLE', 'it is gone', { hint: 'Wait.' })
    })
    return told
  }
  expect(
    await site.fail(
      growing(() => {}),
      {},
      { change: gone },
    ),
  ).toMatchObject({ code: 'LOG_UNREACHABLE' })
  expect(site.rows()[0]).toMatchObject({ status: 'failed', slices: 1, records: 2 })
  await site.run(growing(() => {}))
  expect(await published(site)).toEqual(['0', '1'])
})
