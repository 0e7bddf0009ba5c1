import { type ByteString, equalBytes } from '../../core/bytes.ts'
import { TidemarkError } from '../../core/errors.ts'
import { NO_HEADERS } from '../../core/headers.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { StoreRow, StoreTable } from '../../ports/store-table.ts'
import type { TopicSpec } from '../../topology/topic-spec.ts'
import type { BatchStager } from '../batch-stager.ts'
import { pairRows, type RowPair } from '../diff/pair-rows.ts'
import { keptStore } from './kept-store.ts'

/** What was published to a topic, and what a generation would have published there. */
export interface CorrectedTopic {
  readonly topic: string
  readonly before: StateFile | undefined
  readonly now: StateFile
}

/**
 * The keys of both sides behind `after`, in order: on the left what was published. Throws STATE_MISSING where a side is not
 * there, as on another machine than the one that switched.
 */
export function correctionRows({ topic, before, now }: CorrectedTopic, after: ByteString | null): Iterable<RowPair> {
  const range = after === null ? {} : { fromKey: `${after}\0` }
  return pairRows(keptTable(before, topic), keptTable(now, topic), range)
}

/** Stages what puts a key right; false where it is right. */
export function appendCorrection(stager: BatchStager, spec: TopicSpec, { left, right }: RowPair): boolean {
  if (left !== null && right !== null && equalBytes(left.value, right.value)) return false
  const { key, timestamp, task } = (right ?? left) as StoreRow
  const placed = spec.key.partitionBytes?.(key) ?? key
  stager.append(key, right?.value ?? null, timestamp, NO_HEADERS, task, placed)
  return true
}

function keptTable(file: StateFile | undefined, topic: string): StoreTable {
  const store = keptStore(topic)
  if (file?.stores().some(({ name }) => name === store.name) === true) return file.table(store)
  throw new TidemarkError('STATE_MISSING', `the corrections of ${topic} cannot be finished here`, {
    hint:
      'They were begun where the generation was switched: start there once. To leave what is published as it is, ' +
      `say 'tidemark switch JOB NAME --no-corrections=${topic}'.`,
  })
}
