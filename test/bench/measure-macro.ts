import { join } from 'node:path'
import { cpuFigure, type Figure } from './figure.ts'
import { runWorkload, WORKLOADS } from './run-workload.ts'

const RECORDS = 300_000

/** The three workloads that other stream processors are measured with, as whole processes on the embedded log. */
export async function measureMacro(folder: string): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [name, what] of Object.entries(WORKLOADS) as [keyof typeof WORKLOADS, string][]) {
    const workload = { records: RECORDS, keys: 10_000, partitions: 4 }
    const { first, incremental } = await runWorkload(join(folder, name), name, workload)
    figures.push(
      cpuFigure(`${what}, 300,000 records`, first.cpuMs, 'ms'),
      { name: `${what}, 300,000 records, peak memory`, value: first.peakMb, unit: 'MB', limit: null },
      cpuFigure(`${what}, 10,000 more`, incremental.cpuMs, 'ms'),
    )
  }
  return figures
}
