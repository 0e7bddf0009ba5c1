import { join } from 'node:path'
import { cpuFigure, type Figure } from './figure.ts'
import { runWorkload, type WorkloadRuns } from './run-workload.ts'
import type { Workload } from './workload-log.ts'

const BASE: Workload = { records: 100_000, keys: 10_000, partitions: 4 }
/** Of the base alone: the start of a process is not to hide what a record takes. */
const LONG_BASE: Workload = { ...BASE, records: 1_000_000 }

/** What grows and by how much: bounded, or as far as the promises go, which takes half an hour and 10 GB of disk. */
const STEPS = {
  short: { records: [1, 10], keys: [1e3, 1e5], partitions: [1, 16], slices: [1e4, 1e5] },
  long: { records: [1, 3, 10, 30], keys: [1e3, 1e4, 1e5, 1e6, 1e7], partitions: [1, 16, 64], slices: [1e4, 1e5, 1e6] },
} as const

/** How the time for a record, and memory, follow what grows: CPU ns a record over a count by key. */
export async function measureGrowth(folder: string, long: boolean): Promise<readonly Figure[]> {
  const base = long ? LONG_BASE : BASE
  const steps = long ? STEPS.long : STEPS.short
  const figures: Figure[] = []
  let number = 0
  const measure = async (what: string, workload: Workload, env: Readonly<Record<string, string>> = {}) => {
    const runs = await runWorkload(join(folder, String(++number)), 'w1', workload, env)
    figures.push(...figuresOf(`growth: ${what}`, workload, runs))
  }
  for (const times of steps.records) {
    const records = base.records * times
    await measure(`${records.toLocaleString('en')} records`, { ...base, records })
  }
  for (const keys of steps.keys) {
    const records = Math.max(base.records, keys)
    await measure(`${keys.toLocaleString('en')} keys`, { ...base, records, keys })
  }
  for (const partitions of steps.partitions) await measure(`${partitions} partitions`, { ...base, partitions })
  for (const slice of steps.slices) {
    await measure(`slices of ${slice.toLocaleString('en')}`, base, { SLICE_RECORDS: String(slice) })
  }
  return figures
}

function figuresOf(name: string, { records }: Workload, { first, incremental }: WorkloadRuns): readonly Figure[] {
  return [
    cpuFigure(`${name}, a record`, (first.cpuMs * 1e6) / records, 'ns'),
    { name: `${name}, peak memory`, value: first.peakMb, unit: 'MB', limit: { kind: 'at-most', value: 400 } },
    cpuFigure(`${name}, 10,000 more`, incremental.cpuMs, 'ms'),
  ]
}
