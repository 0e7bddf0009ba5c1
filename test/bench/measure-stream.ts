import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { json, string, topic } from '../../src/index.ts'
import type { Log } from '../../src/ports/log.ts'
import { appendRecords } from '../../src/testing/append-records.ts'
import { readTopic } from '../../src/testing/topic-records.ts'
import type { Figure } from './figure.ts'
import { BIN } from './process-figures.ts'

const JOB = fileURLToPath(new URL('./jobs/answering.ts', import.meta.url))
const ASKED = topic('asked', { key: string(), value: json<number>() })
const ANSWERED = topic('answered', { key: string(), value: json<number>() })
const RECORDS = 1000
const WARM_UP = 50
/** From one record to the next, ms, at random up to this. */
const APART_MS = 40
const IDLE_MS = 60_000
/** What a process has used of the processor is counted in these, ms. */
const TICK_MS = 10

/**
 * A stream in a process of its own: the time from when a record is sent until its output can be read by a reader of what is
 * committed, for records one by one; and what the process uses of a core in a minute in which nothing comes.
 */
export async function measureStream(
  folder: string,
  name: string,
  address: string,
  log: Log,
): Promise<readonly Figure[]> {
  mkdirSync(folder, { recursive: true })
  await log.admin().create({ name: ASKED.name, partitions: 4 })
  const stream = spawn(process.execPath, [BIN, 'stream', JOB, '--log', address], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    await said(stream, 'has caught up')
    await latencies(log, 'warm-up', WARM_UP)
    const sorted = (await latencies(log, 'measured', RECORDS)).sort((one, other) => one - other)
    const used = cpuMs(stream)
    await setTimeout(IDLE_MS)
    const idle = (100 * (cpuMs(stream) - used)) / IDLE_MS
    const limit = (value: number) => ({ kind: 'at-most', value }) as const
    return [
      { name: `streaming ${name}, median`, value: quantile(sorted, 0.5), unit: 'ms', limit: null },
      { name: `streaming ${name}, 99th percentile`, value: quantile(sorted, 0.99), unit: 'ms', limit: limit(200) },
      { name: `streaming ${name}, nothing comes for a minute`, value: idle, unit: '% core', limit: limit(2) },
    ]
  } finally {
    stream.kill('SIGKILL')
  }
}

/** Sends records one by one, and takes the time that each needs to its output. */
async function latencies(log: Log, prefix: string, count: number): Promise<number[]> {
  const sentAt = new Map<string, number>()
  const took: number[] = []
  const positions = new Map<number, number>()
  const sending = (async () => {
    for (let number = 0; number < count; number++) {
      const key = `${prefix}-${number}`
      sentAt.set(key, performance.now())
      await appendRecords(log, ASKED, [{ key, value: number }], Date.now())
      await setTimeout(Math.random() * APART_MS)
    }
  })()
  while (took.length < count) {
    for (const { key } of await readTopic(log, ANSWERED, positions)) {
      const sent = sentAt.get(String(key))
      if (sent !== undefined) took.push(performance.now() - sent)
    }
    await setTimeout(1)
  }
  await sending
  return took
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

async function said({ stderr }: ChildProcess, words: string): Promise<void> {
  let text = ''
  if (stderr === null) throw new Error('the process has an stderr')
  while (!text.includes(words)) {
    const [chunk] = (await once(stderr, 'data')) as [Buffer]
    text += chunk.toString()
  }
  stderr.resume()
}

/** User and system time of a process so far; NaN where the system does not tell. */
function cpuMs({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.NaN
  }
}
