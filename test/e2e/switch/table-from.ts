import { json, string, topic } from 'tidemark'
import type { Log } from '../../../src/ports/log.ts'
import { readTopic } from '../../../src/testing/topic-records.ts'

/** The committed records of a table's topic, as `key=value`, and the table that they make. */
export async function tableFrom(log: Log, name: string) {
  const rows = new Map<string, number>()
  const said: string[] = []
  for (const { key, value } of await readTopic(log, topic(name, { key: string(), value: json<number>() }), new Map())) {
    said.push(`${key}=${value}`)
    if (value === null) rows.delete(String(key))
    else rows.set(String(key), Number(value))
  }
  return { said, table: Object.fromEntries([...rows].sort()) }
}
