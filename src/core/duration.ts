import { TidemarkError } from './errors.ts'

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
type Unit = keyof typeof UNIT_MS

/** A span of time: `'90s'`, `'5m'`, `'1h30m'`, `'2d'`, or milliseconds. */
export type Duration = string | number

/** A span in whole milliseconds, 0 or more. Throws USAGE for anything else. */
export function durationMs(duration: Duration, what = 'duration'): number {
  if (typeof duration === 'number') {
    if (Number.isSafeInteger(duration) && duration >= 0) return duration
    throw notADuration(duration, what)
  }
  const text = duration.trim()
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d|w))+$/.test(text)) throw notADuration(duration, what)
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d|w)/g)) {
    total += Number(amount) * UNIT_MS[unit as Unit]
  }
  if (!Number.isSafeInteger(total)) throw notADuration(duration, what)
  return total
}

function notADuration(duration: Duration, what: string): TidemarkError {
  return new TidemarkError('USAGE', `${what} ${JSON.stringify(duration)} is not a span of time`, {
    hint: "Write a number and a unit, as in '90s', '5m', '1h30m' or '2d', or give milliseconds.",
  })
}

/** A span for people: `1h 30m`, `45s`, `12ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`
  const parts: string[] = []
  let left = Math.round(ms / 1000) * 1000
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    const count = Math.floor(left / UNIT_MS[unit])
    left -= count * UNIT_MS[unit]
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.slice(0, 2).join(' ')
}
