import type { LeftOutRecord } from '../../core/checkpoint.ts'
import { recordKey } from './input-source.ts'

/** A notice for each record that was to be left out, by its record key, and that the run did not meet. */
export function skipNotices(asked: readonly string[], leftOut: readonly LeftOutRecord[]): readonly string[] {
  const met = new Set(leftOut.map(({ topic, partition, offset }) => recordKey(topic, partition, offset)))
  return asked.filter((key) => !met.has(key)).map((key) => `--skip ${key}: this run met no such record`)
}
