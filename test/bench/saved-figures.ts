import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Figure } from './figure.ts'

/** The figures that a check compares with, where no other file is named. */
export const SAVED = fileURLToPath(new URL('./figures.json', import.meta.url))

/** How much more of the calibration loop than the saved figure one may take. */
const MOST = 1.5

export interface SavedFigures {
  readonly machine: { readonly node: string; readonly cpu: string | undefined; readonly cores: number }
  /** CPU ns of the calibration loop at that time. */
  readonly calibration: number
  readonly figures: readonly Figure[]
}

export function machine(): SavedFigures['machine'] {
  return { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length }
}

/** Figures of the file that were not measured now are kept. */
export function saveFigures(path: string, calibration: number, figures: readonly Figure[]): void {
  const measured = new Set(figures.map(({ name }) => name))
  const before = readFigures(path)
  const scale = before === undefined ? 1 : calibration / before.calibration
  const kept = (before?.figures ?? [])
    .filter(({ name }) => !measured.has(name))
    .map((figure) => (figure.calibrated === true ? { ...figure, value: figure.value * scale } : figure))
  const saved: SavedFigures = { machine: machine(), calibration, figures: [...kept, ...figures] }
  writeFileSync(path, `${JSON.stringify(saved, null, 2)}\n`)
}

export function readFigures(path: string): SavedFigures | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as SavedFigures) : undefined
}

/** By how much a figure is above the saved one, both as multiples of the loop; undefined where there is nothing to compare. */
export function againstSaved(figure: Figure, calibration: number, saved: SavedFigures | undefined): number | undefined {
  const before = saved?.figures.find(({ name }) => name === figure.name)
  if (figure.calibrated !== true || saved === undefined || before === undefined) return undefined
  return figure.value / calibration / (before.value / saved.calibration)
}

export function isSlower(times: number | undefined): boolean {
  return times !== undefined && times > MOST
}
