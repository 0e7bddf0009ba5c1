/** One measured figure, and the limit that `--check` holds it to. */
export interface Figure {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** `at-most` and `at-least` are judged; a figure without limit is only shown. */
  readonly limit: { readonly kind: 'at-most' | 'at-least'; readonly value: number } | null
  /** CPU time, which `--check` compares with the saved one, both as multiples of the calibration loop. */
  readonly calibrated?: boolean
}

export function holds({ value, limit }: Figure): boolean {
  if (limit === null) return true
  return limit.kind === 'at-most' ? value <= limit.value : value >= limit.value
}

/** A figure of CPU time, less being better. */
export function cpuFigure(name: string, value: number, unit: 'ns' | 'ms'): Figure {
  return { name, value, unit, limit: null, calibrated: true }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
