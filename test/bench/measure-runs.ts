import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { appendEvents } from './event-log.ts'
import { type Figure, median } from './figure.ts'
import { tidemark } from './process-figures.ts'

const JOB = fileURLToPath(new URL('./jobs/counting.ts', import.meta.url))
const KEYS = 1_000_000

/** Whole runs of a count by key: a million keys in the state, then a little more, then nothing; and five million records. */
export async function measureRuns(folder: string): Promise<readonly Figure[]> {
  return [...(await incremental(join(folder, 'incremental'))), ...(await long(join(folder, 'long')))]
}

async function incremental(folder: string): Promise<readonly Figure[]> {
  const log = logIn(folder)
  await appendEvents(log, KEYS, KEYS, 'each-in-turn')
  const first = await tidemark(folder, ['run', JOB])
  const little: number[] = []
  const idle: number[] = []
  for (let time = 0; time < 5; time++) {
    await appendEvents(log, 10_000, KEYS, 'random')
    little.push((await tidemark(folder, ['run', JOB])).wallMs)
    idle.push((await tidemark(folder, ['run', JOB])).wallMs)
  }
  return [
    { name: '1,000,000 records, 1,000,000 new keys', value: first.wallMs, unit: 'ms', limit: null },
    {
      name: '10,000 records into 1,000,000 keys',
      value: median(little),
      unit: 'ms',
      limit: { kind: 'at-most', value: 1000 },
    },
    { name: 'nothing to do', value: median(idle), unit: 'ms', limit: { kind: 'at-most', value: 250 } },
  ]
}

async function long(folder: string): Promise<readonly Figure[]> {
  await appendEvents(logIn(folder), 5_000_000, KEYS, 'random')
  const { wallMs, peakMb } = await tidemark(folder, ['run', JOB])
  const name = '5,000,000 records over 1,000,000 keys'
  return [
    { name, value: wallMs, unit: 'ms', limit: null },
    { name: `${name}, peak memory`, value: peakMb, unit: 'MB', limit: { kind: 'at-most', value: 300 } },
  ]
}

function logIn(folder: string): string {
  mkdirSync(join(folder, '.tidemark'), { recursive: true })
  return join(folder, '.tidemark', 'log.db')
}
