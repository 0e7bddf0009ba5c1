import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Figure, median } from './figure.ts'
import { tidemark } from './process-figures.ts'

const SHARED = process.env.TIDEMARK_DATA ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))
const YEAR = join(SHARED, 'flights.csv.gz')
const JANUARY = fileURLToPath(new URL('../../jobs/data/flights-2013-01.csv.gz', import.meta.url))

/** Import of the flights: the year where it is there, else January. */
export async function measureImport(folder: string): Promise<readonly Figure[]> {
  const [file, limit] = existsSync(YEAR) ? [YEAR, { kind: 'at-least' as const, value: 100_000 }] : [JANUARY, null]
  mkdirSync(folder)
  const rates: number[] = []
  for (let time = 0; time < 3; time++) {
    const options = ['--key', 'carrier', '--timestamp', 'time_hour', '--partitions', '4', '--null', 'NA']
    const { stdout, wallMs } = await tidemark(folder, ['log', 'import', `flights-${time}`, file, ...options, '--json'])
    rates.push((JSON.parse(stdout).rows / wallMs) * 1000)
  }
  return [{ name: 'import of the flights, process start to exit', value: median(rates), unit: 'rows/s', limit }]
}
