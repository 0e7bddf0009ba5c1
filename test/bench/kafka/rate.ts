import type { Figure } from '../figure.ts'

const TIMES = 3

/** The best of a few times, in records a second: what else the machine does makes it slower, never faster. */
export async function bestRate(records: number, measure: () => Promise<number>): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES; time++) bestMs = Math.min(bestMs, await measure())
  return (records / bestMs) * 1000
}

export function rate(name: string, value: number): Figure {
  return { name, value, unit: 'rec/s', limit: null }
}

/** How many times as fast as another client, which does not depend on the machine; undefined: only shown. */
export function ratio(name: string, value: number, atLeast?: number): Figure {
  return { name, value, unit: 'times', limit: atLeast === undefined ? null : { kind: 'at-least', value: atLeast } }
}
