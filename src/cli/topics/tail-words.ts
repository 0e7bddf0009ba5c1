import { writeJson } from '../../serde/json/write-json.ts'
import { partsOf } from '../output/parts.ts'
import { table } from '../output/table.ts'
import { isoTimeInWords } from '../output/words.ts'
import type { TailRecord } from './tail-topic.ts'

/** As `tailInWords`, with an end of line, in parts: more records than a part has are several tables. */
export function* tailInParts(topic: string, records: readonly TailRecord[]): Generator<string> {
  let before = ''
  for (const part of partsOf(records)) {
    yield `${before}${tailInWords(topic, part)}\n`
    before = '\n'
  }
}

/** Records as a table; their headers only where there are any. */
export function tailInWords(topic: string, records: readonly TailRecord[]): string {
  if (records.length === 0) return `${topic} has no records.`
  return table(
    [
      { title: 'partition', align: 'right' },
      { title: 'offset', align: 'right' },
      { title: 'timestamp' },
      { title: 'key' },
      { title: 'value' },
      { title: 'headers', idle: '' },
    ],
    records.map((record) => [
      String(record.partition),
      String(record.offset),
      isoTimeInWords(record.timestamp),
      shown(record, 'key'),
      shown(record, 'value'),
      headersOf(record),
    ]),
  )
}

/** A tombstone and a missing key are `null`; bytes that are no text are shown in base64. */
function shown(record: TailRecord, member: 'key' | 'value'): string {
  return text(record[member] ?? record[`${member}Text`] ?? record[`${member}Base64`] ?? null)
}

/** `name=value, …`: a header whose value is no text is shown as the export has it. */
function headersOf({ headers }: TailRecord): string {
  if (!Array.isArray(headers)) return ''
  return headers.map(([name, value]: readonly [string, unknown]) => `${name}=${text(value)}`).join(', ')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : writeJson(value, true)
}
