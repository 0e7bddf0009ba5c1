export type CronField = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'weekday'

interface Kind {
  readonly min: number
  readonly max: number
  /** Words for the values from `min` on. */
  readonly names?: readonly string[]
}

const KINDS: Readonly<Record<CronField, Kind>> = {
  second: { min: 0, max: 59 },
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  day: { min: 1, max: 31 },
  month: {
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  weekday: { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
}

/** `*`, `5`, `1-5`, `*` or a range with a step behind a slash. */
const PART = /^(?:(\*)|([a-z]+|\d+)(?:-([a-z]+|\d+))?)(?:\/(\d+))?$/

/** The values of one field of a cron expression in lower case, sorted, none twice. Throws what `refuse` makes of a problem. */
export function cronField(field: CronField, text: string, refuse: (problem: string) => Error): readonly number[] {
  const kind = KINDS[field]
  const values = new Set<number>()
  const bad = (problem: string) => refuse(`has the ${field} ${JSON.stringify(text)}, ${problem}`)
  for (const part of text.split(',')) {
    const [whole, star, first, last, step] = PART.exec(isAnyDay(field, part) ? '*' : part) ?? []
    if (whole === undefined) throw bad('which cannot be read')
    if (step !== undefined && (Number(step) === 0 || (star === undefined && last === undefined))) {
      throw bad('where a step of 1 or more follows a star or a range')
    }
    const from = star === undefined ? readValue(kind, first ?? '') : kind.min
    const to = star === undefined ? readValue(kind, last ?? first ?? '') : kind.max
    if (from === undefined || to === undefined) throw bad(`where values go from ${kind.min} to ${kind.max}`)
    for (const value of between(kind, from, to, Number(step ?? 1))) {
      values.add(field === 'weekday' ? value % 7 : value)
    }
  }
  return [...values].sort((left, right) => left - right)
}

function isAnyDay(field: CronField, part: string): boolean {
  return part === '?' && (field === 'day' || field === 'weekday')
}

function readValue({ min, max, names = [] }: Kind, text: string): number | undefined {
  if (!/^\d/.test(text)) {
    const index = names.indexOf(text)
    return index < 0 ? undefined : min + index
  }
  const value = Number(text)
  // Sunday is 0, and 7 as well.
  const greatest = max === 6 ? 7 : max
  return value >= min && value <= greatest ? value : undefined
}

function* between({ min, max }: Kind, from: number, to: number, step: number): Generator<number> {
  const length = max - min + 1
  const span = to >= from ? to - from : to - from + length
  for (let offset = 0; offset <= span; offset += step) {
    const value = from + offset
    yield value > max && to < from ? value - length : value
  }
}
