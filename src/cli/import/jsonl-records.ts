import type { BadRows } from './bad-rows.ts'
import type { ImportRequest } from './import-request.ts'
import type { RecordCollector } from './record-collector.ts'
import { parseTimestamp, TimestampReader, type TimestampSource } from './row-timestamps.ts'

type Field = { readonly text: string | null } | { readonly problem: string }

/** Turns the lines of one jsonl file into records: a value is its line as it stands, key and timestamp are its fields. */
export class JsonlRecords {
  readonly timestamps: TimestampSource
  readonly #request: ImportRequest
  readonly #bad: BadRows
  readonly #times = new TimestampReader()

  constructor(request: ImportRequest, bad: BadRows, now: number) {
    this.#request = request
    this.#bad = bad
    this.timestamps = sourceOf(request.timestamp, now)
  }

  /** Adds the lines of `text` as records, or takes note of what is wrong with them. Blank lines are no records. */
  addTo(collector: RecordCollector, text: string, firstLine: number): void {
    let line = firstLine
    for (const written of text.split('\n')) {
      const value = written.trim()
      const problem = value === '' ? undefined : this.#add(collector, value)
      if (problem !== undefined) this.#bad.add(line, problem)
      line++
    }
  }

  #add(collector: RecordCollector, value: string): string | undefined {
    let parsed: unknown
    try {
      parsed = JSON.parse(value)
    } catch (error) {
      return `it is not JSON: ${(error as SyntaxError).message}`
    }
    if (parsed === null) return 'null is not a value'
    const timestamp = this.#timestampOf(parsed)
    if (typeof timestamp === 'string') return timestamp
    const key = this.#keyOf(parsed)
    if ('problem' in key) return key.problem
    collector.add(key.text, timestamp, value)
    return undefined
  }

  /** Epoch ms, or what is wrong. */
  #timestampOf(parsed: unknown): number | string {
    if (this.timestamps.from !== 'column') return this.timestamps.timestamp
    const { column } = this.timestamps
    const field = fieldOf(parsed, column)
    if ('problem' in field) return field.problem
    const timestamp = this.#times.read(field.text ?? '')
    return timestamp ?? `${JSON.stringify(field.text)} in ${column} is not a time at or past 1970`
  }

  #keyOf(parsed: unknown): Field {
    const { key: names, keySeparator } = this.#request
    const [only] = names
    if (only === undefined) return { text: null }
    if (names.length === 1) return fieldOf(parsed, only)
    const parts: string[] = []
    for (const name of names) {
      const field = fieldOf(parsed, name)
      if ('problem' in field) return field
      if (field.text === null || field.text === '') return { problem: `the key's field ${name} is empty` }
      if (field.text.includes(keySeparator)) {
        return { problem: `the key's field ${name} holds the separator ${keySeparator} (see --key-separator)` }
      }
      parts.push(field.text)
    }
    return { text: parts.join(keySeparator) }
  }
}

/** Here no header says which columns there are: what reads as a time is one. */
function sourceOf(asked: string | undefined, now: number): TimestampSource {
  if (asked === undefined) return { from: 'clock', timestamp: now }
  const timestamp = parseTimestamp(asked)
  return timestamp === undefined ? { from: 'column', column: asked } : { from: 'time', timestamp }
}

/** The text of a field: strings, numbers and booleans have one; null has none. */
function fieldOf(parsed: unknown, name: string): Field {
  if (typeof parsed !== 'object' || parsed === null || !Object.hasOwn(parsed, name)) {
    return { problem: `it has no field ${name}` }
  }
  const field: unknown = (parsed as Record<string, unknown>)[name]
  if (field === null) return { text: null }
  if (typeof field === 'string') return { text: field }
  if (typeof field === 'boolean') return { text: String(field) }
  if (typeof field !== 'number') return { problem: `field ${name} is neither text nor a number` }
  const exact = !Number.isInteger(field) || Number.isSafeInteger(field)
  return exact ? { text: String(field) } : { problem: `the number in field ${name} is too large; write it as text` }
}
