import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteLog } from '../../src/adapters/sqlite/log/log.ts'
import { type Figure, holds } from './figure.ts'
import { measureKafka } from './kafka/measure-kafka.ts'
import { measureImport } from './measure-import.ts'
import { measureJobFiles } from './measure-job-files.ts'
import { measureRuns } from './measure-runs.ts'
import { measureStream } from './measure-stream.ts'

/**
 * Measures whole processes and prints a table: `npm run bench`. With `--kafka` it measures this project's way with Kafka
 * beside that of other clients instead, for which it starts a broker. With `--check` it judges, and exits with 1 where a figure
 * is past its limit; with `--save FILE` it writes the figures as JSON.
 */
async function bench(args: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const figures: Figure[] = []
  try {
    const measures = args.includes('--kafka')
      ? { measureKafka }
      : { measureJobFiles, measureImport, measureRuns, measureEmbeddedStream }
    for (const [name, measure] of Object.entries(measures)) {
      for (const figure of await measure(join(folder, name))) {
        figures.push(figure)
        console.log(line(figure))
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
  console.log(`\n${machine.node}, ${machine.cores} cores, ${machine.cpu}`)
  const save = args.indexOf('--save')
  if (save >= 0) writeFileSync(args[save + 1] ?? 'bench.json', `${JSON.stringify({ machine, figures }, null, 2)}\n`)
  if (!args.includes('--check')) return 0
  const failed = figures.filter((figure) => !holds(figure))
  console.log(
    failed.length === 0 ? 'every figure is within its limit' : `${failed.length} figures are past their limits`,
  )
  return failed.length === 0 ? 0 : 1
}

async function measureEmbeddedStream(folder: string): Promise<readonly Figure[]> {
  const path = join(folder, 'log.db')
  const log = SqliteLog.open(path)
  try {
    return await measureStream(folder, 'on the embedded log', `sqlite:${path}`, log)
  } finally {
    await log.close()
  }
}

function line(figure: Figure): string {
  const { name, value, unit, limit } = figure
  const shown = value.toLocaleString('en', { maximumFractionDigits: unit === 'times' || unit === '% core' ? 1 : 0 })
  const judged =
    limit === null
      ? ''
      : `${limit.kind.replace('-', ' ')} ${limit.value.toLocaleString('en')} ${holds(figure) ? 'ok' : 'MISSED'}`
  return `${name.padEnd(58)} ${shown.padStart(12)} ${unit.padEnd(7)} ${judged}`.trimEnd()
}

process.exitCode = await bench(process.argv.slice(2))
