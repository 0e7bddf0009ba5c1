import type { StepCounts } from '../ports/history.ts'

/** Gives the counters of a step of the slice under way. */
export type CountStep = (step: string) => StepCounts

/** The counters of one slice, by step. A step's counters stay the same object from slice to slice. */
export class SliceCounts {
  readonly #steps = new Map<string, StepCounts>()

  readonly of: CountStep = (step) => {
    let counts = this.#steps.get(step)
    if (counts === undefined) {
      counts = {}
      this.#steps.set(step, counts)
    }
    return counts
  }

  skipped(step: string, reason: string): void {
    const counts = this.of(step)
    counts.skipped ??= {}
    counts.skipped[reason] = (counts.skipped[reason] ?? 0) + 1
  }

  deadLettered(step: string): void {
    const counts = this.of(step)
    counts.deadLettered = (counts.deadLettered ?? 0) + 1
  }

  /** The totals so far with this slice's counts added. */
  addedTo(totals: Readonly<Record<string, StepCounts>>): Record<string, StepCounts> {
    const sum: Record<string, StepCounts> = { ...totals }
    for (const [step, counts] of this.#steps) {
      if (Object.keys(counts).length > 0) sum[step] = addCounts(sum[step] ?? {}, counts)
    }
    return sum
  }

  /** Starts the next slice: all counters are empty. */
  reset(): void {
    for (const counts of this.#steps.values()) {
      for (const name of Object.keys(counts) as (keyof StepCounts)[]) delete counts[name]
    }
  }
}

export function addCounts(left: StepCounts, right: StepCounts): StepCounts {
  const sum: StepCounts = { ...left }
  for (const name of ['late', 'droppedWindows', 'deadLettered', 'unmatched', 'outputs'] as const) {
    const total = (left[name] ?? 0) + (right[name] ?? 0)
    if (total > 0) sum[name] = total
  }
  if (left.skipped !== undefined || right.skipped !== undefined) {
    const skipped: Record<string, number> = { ...left.skipped }
    for (const [reason, count] of Object.entries(right.skipped ?? {})) skipped[reason] = (skipped[reason] ?? 0) + count
    sum.skipped = skipped
  }
  return sum
}

/** Totals over all steps. */
export function totalCounts(steps: Readonly<Record<string, StepCounts>>): {
  late: number
  droppedWindows: number
  unmatched: number
  skipped: number
  deadLettered: number
  outputs: number
} {
  const total = { late: 0, droppedWindows: 0, unmatched: 0, skipped: 0, deadLettered: 0, outputs: 0 }
  for (const counts of Object.values(steps)) {
    total.late += counts.late ?? 0
    total.droppedWindows += counts.droppedWindows ?? 0
    total.unmatched += counts.unmatched ?? 0
    total.deadLettered += counts.deadLettered ?? 0
    total.outputs += counts.outputs ?? 0
    for (const count of Object.values(counts.skipped ?? {})) total.skipped += count
  }
  return total
}

/** Reasons that the job's own rules give for a skip; they do not count as poison. */
const EXPECTED = new Set(['null-key', 'null-value', 'asked'])

/** Records that were skipped or dead-lettered because something was wrong with them. */
export function poisonCount(steps: Readonly<Record<string, StepCounts>>): number {
  let count = 0
  for (const counts of Object.values(steps)) {
    count += counts.deadLettered ?? 0
    for (const [reason, skipped] of Object.entries(counts.skipped ?? {})) if (!EXPECTED.has(reason)) count += skipped
  }
  return count
}
