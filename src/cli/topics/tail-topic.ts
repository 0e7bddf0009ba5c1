import type { Log } from '../../ports/log.ts'
import { readJson } from '../../serde/json/read-json.ts'
import type { TopicState } from './describe-topic.ts'
import { readRecords } from './read-records.ts'
import { recordLine } from './record-text.ts'

/** A record as `log tail --json` shows it: the members of an exported line, but an integer that would be rounded is text there. */
export interface TailRecord {
  readonly partition: number
  readonly offset: number
  readonly timestamp: string
  readonly [member: string]: unknown
}

/** The last `count` records of a topic by timestamp, latest at the end; of each partition only its own last ones count. */
export async function tailTopic(log: Log, topic: TopicState, count: number): Promise<readonly TailRecord[]> {
  const found: { readonly timestamp: number; readonly line: string }[] = []
  for (const { partition, start, end } of topic.bounds) {
    found.push(...(await lastRecords(log, { topic: topic.name, partition, start, end }, count)))
  }
  found.sort((left, right) => left.timestamp - right.timestamp)
  return found.slice(-count).map(({ line }) => readJson(line, true) as TailRecord)
}

interface Span {
  readonly topic: string
  readonly partition: number
  readonly start: number
  readonly end: number
}

/** Offsets without records make it look back further, twice as far each time. */
async function lastRecords(log: Log, { topic, partition, start, end }: Span, count: number) {
  for (let span = count; ; span *= 2) {
    const from = Math.max(start, end - span)
    const records: { timestamp: number; line: string }[] = []
    await readRecords(log, [{ topic, partition, from, to: end }], {
      record: (cursor) => void records.push({ timestamp: cursor.timestamp, line: recordLine(cursor, partition) }),
      chunk: () => Promise.resolve(),
    })
    if (records.length >= count || from === start) return records.slice(-count)
  }
}
