import { readJson } from '../../serde/json/read-json.ts'
import { writeJson } from '../../serde/json/write-json.ts'
import type { RecordCursor } from '../../wire/record-cursor.ts'
import { isoTime } from '../output/words.ts'
import { type BytesText, keyText, valueText } from './record-text.ts'

const PLACE = ['partition', 'offset', 'timestamp', 'key'] as const

/**
 * The columns of a topic as csv: where a record lies, its key, and the fields of its value, in the order in which they
 * first occur. Every record has to be seen before the first can be written.
 */
export class CsvColumns {
  readonly #valuesOnly: boolean
  /** By field of the value; the name of the column is another where it is taken. */
  readonly #fields = new Map<string, string>()
  readonly #extra = new Set<string>()

  constructor(valuesOnly: boolean) {
    this.#valuesOnly = valuesOnly
  }

  see(cursor: RecordCursor): void {
    if (!this.#valuesOnly && keyText(cursor).kind === 'base64') this.#extra.add('keyBase64')
    const value = valueText(cursor)
    const fields = fieldsOf(value)
    if (fields === undefined) {
      if (value.kind !== 'null') this.#extra.add(otherColumn(value))
    } else for (const name of Object.keys(fields)) if (!this.#fields.has(name)) this.#fields.set(name, this.#free(name))
  }

  get header(): readonly string[] {
    const place = this.#valuesOnly ? [] : PLACE
    return [...place, ...this.#fields.values(), ...this.#extra]
  }

  /** The record's cells. Null, and a field that it lacks, is an empty cell; a field that has fields is JSON. */
  row(cursor: RecordCursor, partition: number): readonly string[] {
    const key = keyText(cursor)
    const value = valueText(cursor)
    const fields = fieldsOf(value)
    const place = [String(partition), String(cursor.offset), isoTime(cursor.timestamp), textOf(key, 'text')]
    const extra = [...this.#extra].map((column) => {
      if (column === 'keyBase64') return textOf(key, 'base64')
      return fields === undefined && value.kind !== 'null' && column === otherColumn(value) ? value.text : ''
    })
    const cells = [...this.#fields.keys()].map((name) => cellOf(fields?.[name]))
    return [...(this.#valuesOnly ? [] : place), ...cells, ...extra]
  }

  #free(name: string): string {
    const taken = this.#valuesOnly ? [] : [...PLACE, 'keyBase64']
    return [...taken, 'value', 'valueBase64'].includes(name) ? `value.${name}` : name
  }
}

/** What is not an object has one column for itself. */
function otherColumn(value: BytesText): string {
  return value.kind === 'base64' ? 'valueBase64' : 'value'
}

function fieldsOf(value: BytesText): Readonly<Record<string, unknown>> | undefined {
  if (value.kind !== 'json' || !value.text.trimStart().startsWith('{')) return undefined
  return readJson(value.text, true) as Record<string, unknown>
}

function textOf(read: BytesText, kind: BytesText['kind']): string {
  return read.kind === kind && read.kind !== 'null' ? read.text : ''
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? writeJson(value, true) : String(value)
}
