import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteLog } from '../../src/adapters/sqlite/log/log.ts'
import { calibrationNs } from './calibration.ts'
import { type Figure, holds } from './figure.ts'
import { measureKafka } from './kafka/measure-kafka.ts'
import { measureGrowth } from './measure-growth.ts'
import { measureImport } from './measure-import.ts'
import { measureJobFiles } from './measure-job-files.ts'
import { measureMacro } from './measure-macro.ts'
import { measureMicro } from './measure-micro.ts'
import { measureRuns } from './measure-runs.ts'
import { measureState } from './measure-state.ts'
import { measureStream } from './measure-stream.ts'
import { againstSaved, isSlower, machine, readFigures, SAVED, saveFigures } from './saved-figures.ts'

type Measure = (folder: string) => Promise<readonly Figure[]>

const PARTS: Readonly<Record<string, Measure>> = {
  micro: measureMicro,
  macro: measureMacro,
  growth: (folder) => measureGrowth(folder, process.argv.includes('--growth')),
  state: (folder) => measureState(folder, process.argv.includes('--growth')),
  'job-files': measureJobFiles,
  import: measureImport,
  runs: measureRuns,
  stream: measureEmbeddedStream,
}

/**
 * Measures and prints a table: `npm run bench`, or `npm run bench -- micro growth` for parts of it.
 *   --growth      growth and state as far as the promises go: 30 million records, 10 million keys; an hour and 15 GB of disk
 *   --kafka       this project's way with Kafka beside that of other clients instead, for which it starts a broker
 *   --save FILE   writes the figures as JSON; those that a check compares with where no file is named
 *   --check FILE  exits with 1 where a figure is past its limit, or takes half as much again as the saved one, both measured
 *                 in turns of a loop that is timed beside them
 */
async function bench(args: readonly string[]): Promise<number> {
  const calibration = calibrationNs()
  const check = args.includes('--check')
  const saved = check ? readFigures(fileOf(args, '--check')) : undefined
  const figures: Figure[] = []
  let failed = 0
  for await (const figure of measured(args)) {
    figures.push(figure)
    const times = againstSaved(figure, calibration, saved)
    if (!holds(figure) || isSlower(times)) failed++
    console.log(line(figure, times))
  }
  const { node, cores, cpu } = machine()
  console.log(`\n${node}, ${cores} cores, ${cpu}; the loop took ${(calibration / 1e6).toFixed(0)} ms`)
  if (args.includes('--save')) saveFigures(fileOf(args, '--save'), calibration, figures)
  if (!check) return 0
  console.log(failed === 0 ? 'every figure is within its limit' : `${failed} figures are past their limits`)
  return failed === 0 ? 0 : 1
}

async function* measured(args: readonly string[]): AsyncGenerator<Figure> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'))
  const named = Object.entries(PARTS).filter(([name]) => args.includes(name))
  const parts = named.length > 0 ? named : Object.entries(PARTS)
  try {
    for (const [name, measure] of args.includes('--kafka') ? [['kafka', measureKafka] as const] : parts) {
      yield* await measure(join(folder, name))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function fileOf(args: readonly string[], option: string): string {
  const file = args[args.indexOf(option) + 1]
  return file === undefined || file.startsWith('--') || file in PARTS ? SAVED : file
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

function line(figure: Figure, times: number | undefined): string {
  const { name, value, unit, limit } = figure
  const shown = value.toLocaleString('en', { maximumFractionDigits: unit === 'times' || unit === '% core' ? 1 : 0 })
  const judged =
    limit === null
      ? ''
      : `${limit.kind.replace('-', ' ')} ${limit.value.toLocaleString('en')} ${holds(figure) ? 'ok' : 'MISSED'}`
  const compared = times === undefined ? '' : `${times.toFixed(2)} of saved ${isSlower(times) ? 'SLOWER' : 'ok'}`
  return `${name.padEnd(62)} ${shown.padStart(12)} ${unit.padEnd(7)} ${judged} ${compared}`.trimEnd()
}

process.exitCode = await bench(process.argv.slice(2))
