import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appendEvents, keysOf } from './event-log.ts'
import type { Figure } from './figure.ts'
import { plainUpserts } from './plain-upserts.ts'
import { type ProcessFigures, tidemark } from './process-figures.ts'

/**
 * What state costs as it grows, in CPU time: a count by key, less a run that reads the same and keeps nothing, beside a plain
 * loop of upserts; and 10,000 records into many keys, as a whole process, beside the same into 10,000 keys.
 */
export async function measureState(folder: string, long: boolean): Promise<readonly Figure[]> {
  const keys = long ? 10_000_000 : 1_000_000
  const few = await incremental(join(folder, 'few'), 100_000, 10_000)
  const many = await incremental(join(folder, 'many'), keys, keys)
  const reading = await run(join(folder, 'many'), 'reading')
  const plain = plainUpserts(join(folder, 'plain.db'), keysOf(keys, keys, 'random'))
  const name = `state: ${keys.toLocaleString('en')} keys`
  const state = many.first.cpuMs - reading.cpuMs
  return [
    // Few keys fit into the cache: there the look-ups weigh more than the rows.
    { name: `${name}, of a plain loop`, value: state / plain, unit: 'times', limit: long ? atMost(1.3) : null },
    {
      name: `${name}, 10,000 more, of 10,000 keys`,
      value: many.moreMs / few.moreMs,
      unit: 'times',
      limit: atMost(2.5),
    },
    { name: `${name}, peak memory`, value: many.first.peakMb, unit: 'MB', limit: atMost(400) },
  ]
}

interface Incremental {
  readonly first: ProcessFigures
  /** CPU time of a run over 10,000 records more, ms: the least of three. */
  readonly moreMs: number
}

async function incremental(folder: string, records: number, keys: number): Promise<Incremental> {
  mkdirSync(join(folder, '.tidemark'), { recursive: true })
  const log = join(folder, '.tidemark', 'log.db')
  await appendEvents(log, records, keys, 'random')
  const first = await run(folder, 'counting-only')
  const times: number[] = []
  for (let time = 0; time < 3; time++) {
    await appendEvents(log, 10_000, keys, 'random')
    times.push((await run(folder, 'counting-only')).cpuMs)
  }
  return { first, moreMs: Math.min(...times) }
}

function run(folder: string, job: string): Promise<ProcessFigures> {
  return tidemark(folder, ['run', fileURLToPath(new URL(`./jobs/${job}.ts`, import.meta.url))])
}

function atMost(value: number): Figure['limit'] {
  return { kind: 'at-most', value }
}
