import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const HOUR_MS = 3_600_000
const GRACE_MS = 2 * HOUR_MS
const RETENTION_MS = 24 * HOUR_MS

/** What `carrier-delays` has to come to, worked out with plain loops over the file and with nothing of the product. */
export interface ExpectedYear {
  /** The last value of each carrier and hour that the result topic has: `9E 1357034400000` to `Endeavor Air Inc. 12.5`. */
  readonly results: ReadonlyMap<string, string>
  /** The rows that the store `hourly-delay` still holds at the end, in the same form, without the name. */
  readonly store: ReadonlyMap<string, string>
  readonly late: number
  readonly flights: number
  /** How many flights lie in the ranges that `ends` cut the topic into, the last one open. */
  countsBetween(ends: readonly number[]): readonly number[]
}

interface Window {
  sum: number
  count: number
}

interface Task {
  streamTime: number
  greatestStart: number
  readonly windows: Map<string, Window>
  /** The time of every flight of the partition, in the order of the file. */
  readonly times: number[]
}

export function expectedYear(flightsPath: string, airlinesPath: string, partitions: number): ExpectedYear {
  const tasks = Array.from({ length: partitions }, newTask)
  let late = 0
  let flights = 0
  for (const { carrier, delay, time } of flightsIn(flightsPath)) {
    const task = tasks[partitionOf(carrier, partitions)] as Task
    flights++
    task.times.push(time)
    if (delay === null) continue
    task.streamTime = Math.max(task.streamTime, time)
    const start = time - (time % HOUR_MS)
    if (start + HOUR_MS + GRACE_MS <= task.streamTime) {
      late++
      continue
    }
    task.greatestStart = Math.max(task.greatestStart, start)
    const window = task.windows.get(`${carrier} ${start}`) ?? { sum: 0, count: 0 }
    window.sum += delay
    window.count++
    task.windows.set(`${carrier} ${start}`, window)
  }
  const names = namesIn(airlinesPath)
  const results = new Map<string, string>()
  const store = new Map<string, string>()
  for (const { windows, greatestStart } of tasks) {
    for (const [window, { sum, count }] of windows) {
      const [carrier = '', start] = window.split(' ')
      results.set(window, `${names.get(carrier)} ${sum / count}`)
      if (Number(start) > greatestStart - RETENTION_MS) store.set(window, String(sum / count))
    }
  }
  return { results, store, late, flights, countsBetween: (ends) => countsBetween(tasks, ends) }
}

function newTask(): Task {
  return { streamTime: -1, greatestStart: -1, windows: new Map(), times: [] }
}

/** A range ends, in each partition, before its first flight at or past the end. */
function countsBetween(tasks: readonly Task[], ends: readonly number[]): number[] {
  const positions = [...ends, Number.POSITIVE_INFINITY].map((end) =>
    tasks.reduce((sum, { times }) => {
      const at = times.findIndex((time) => time >= end)
      return sum + (at < 0 ? times.length : at)
    }, 0),
  )
  return positions.map((position, index) => position - (positions[index - 1] ?? 0))
}

function* flightsIn(path: string): Generator<{ carrier: string; delay: number | null; time: number }> {
  const [header = '', ...lines] = gunzipSync(readFileSync(path)).toString('utf8').trimEnd().split('\n')
  const columns = header.split(',')
  const [carrier, delay, time] = ['carrier', 'dep_delay', 'time_hour'].map((name) => columns.indexOf(name)) as [
    number,
    number,
    number,
  ]
  for (const line of lines) {
    const cells = line.split(',')
    const minutes = cells[delay]
    yield {
      carrier: cells[carrier] as string,
      delay: minutes === 'NA' || minutes === '' ? null : Number(minutes),
      time: Date.parse(cells[time] as string),
    }
  }
}

function namesIn(path: string): ReadonlyMap<string, string> {
  const [, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const comma = line.indexOf(',')
      return [line.slice(0, comma), line.slice(comma + 1)]
    }),
  )
}

/** Kafka's default partitioner, after the reference of MurmurHash2 by Austin Appleby, in whole numbers without limit. */
function partitionOf(key: string, partitions: number): number {
  const bytes = Buffer.from(key)
  const m = 0x5bd1e995n
  const u32 = (value: bigint) => value & 0xffffffffn
  let hash = 0x9747b28cn ^ BigInt(bytes.length)
  let at = 0
  for (; at + 4 <= bytes.length; at += 4) {
    let word = u32(BigInt(bytes.readUInt32LE(at)) * m)
    word ^= word >> 24n
    hash = u32(hash * m) ^ u32(word * m)
  }
  if (at < bytes.length) {
    for (let byte = bytes.length - 1; byte >= at; byte--)
      hash ^= BigInt(bytes[byte] as number) << BigInt(8 * (byte - at))
    hash = u32(hash * m)
  }
  hash = u32((hash ^ (hash >> 13n)) * m)
  hash ^= hash >> 15n
  return Number(hash & 0x7fffffffn) % partitions
}
