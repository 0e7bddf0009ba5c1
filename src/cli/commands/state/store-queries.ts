import { TidemarkError } from '../../../core/errors.ts'
import { timeOfBound } from '../../../planner/bound.ts'
import { parseBound } from '../../../planner/parse-bound.ts'
import type { StoreQuery } from '../../../runtime/stores/store-reader.ts'
import type { Serde } from '../../../serde/serde.ts'
import { keysOfText, prefixOfText } from './key-of-text.ts'

/** What may be asked of a store, as it was typed. */
export interface AskedRows {
  readonly key?: string | undefined
  readonly prefix?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** What is to be known of a store to ask it. */
export interface AskedStore {
  readonly key: Serde<unknown>
  /** Its rows belong to a window or a time. */
  readonly timed: boolean
}

/**
 * The queries, in order, whose rows together are what is asked. `now` in epoch ms. Throws USAGE for what contradicts itself
 * or the store.
 */
export function storeQueries(asked: AskedRows, store: AskedStore, now: number): readonly StoreQuery[] {
  const { key, prefix, from, to } = asked
  if (key !== undefined && prefix !== undefined) {
    throw new TidemarkError('USAGE', '--key and --prefix are two ways to say which keys', { hint: 'Give one of them.' })
  }
  if (!store.timed && (from ?? to) !== undefined) {
    throw new TidemarkError('USAGE', `--${from === undefined ? 'to' : 'from'}: the rows of this store have no window`, {
      hint: 'Ask by --key or --prefix.',
    })
  }
  const times = { ...time('fromTime', from, '--from', now), ...time('toTime', to, '--to', now) }
  if (times.fromTime !== undefined && times.toTime !== undefined && times.fromTime > times.toTime) {
    throw new TidemarkError('USAGE', `--from ${from} is later than --to ${to}`, {
      hint: 'A range is [from, to): its start comes first.',
    })
  }
  if (prefix !== undefined) return [{ ...times, prefix: prefixOfText(prefix, store.key) }]
  if (key === undefined) return [times]
  return keysOfText(key, store.key).map((one) => ({ ...times, key: one }))
}

function time(
  field: 'fromTime' | 'toTime',
  text: string | undefined,
  option: string,
  now: number,
): Pick<StoreQuery, 'fromTime' | 'toTime'> {
  if (text === undefined) return {}
  const at = timeOfBound(parseBound(text, option), now)
  if (at !== null) return { [field]: at }
  throw new TidemarkError('USAGE', `${option} ${text} is not a time`, {
    hint: 'Windows are asked for by time: 2013-01-31T06:00Z, @1359612000000, or a span before now (-6h).',
  })
}
