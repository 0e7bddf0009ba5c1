import { asBytes } from '../serde/as-bytes.ts'
import { combinedKeySerde, prefixOfCombined } from '../serde/foreign-key/combined-key.ts'
import { subscriptionSerde } from '../serde/foreign-key/subscription.ts'
import { subscriptionAnswerSerde } from '../serde/foreign-key/subscription-answer.ts'
import type { Serde } from '../serde/serde.ts'
import { string } from '../serde/string.ts'
import type { SettingsOf } from '../topology/draft.ts'
import { checkedName } from '../topology/names.ts'
import type { StoreRef, Where } from '../topology/nodes.ts'
import { known } from './known.ts'
import { sameJob } from './same-job.ts'
import type { Step } from './step.ts'

/** The serdes of a foreign-key join: of the left table's values, where it is not known, and of results that are kept. */
export interface ForeignKeySerdes {
  readonly left?: Serde<unknown>
  readonly result?: Serde<unknown>
}

export interface ForeignKeyJoin {
  readonly foreignKey: SettingsOf<'foreign-key-subscribe'>['foreignKey']
  readonly joiner: SettingsOf<'foreign-key-join'>['joiner']
  readonly name: string
  readonly serdes: ForeignKeySerdes
  readonly left: boolean
}

/**
 * The step of a foreign-key join: left rows ask, by way of an exchange, the right rows of their foreign keys, and these
 * answer, by way of another one, at once and whenever they change.
 */
export function foreignKeyJoined(one: Step, two: Step, join: ForeignKeyJoin, where: Where | null): Step {
  const { draft } = one
  const { foreignKey, joiner, serdes, left } = join
  const name = checkedName(join.name, 'a foreign-key join', where)
  const key = known(sameJob(one, two, where).key, `the serde of the foreign keys of ${name}`, where)
  const leftKey = known(one.key, `the serde of the keys of ${name}`, where)
  const leftValue = known(serdes.left ?? one.value, `the serde of the left values of ${name}`, where)
  const subscribe = { kind: 'foreign-key-subscribe', where, left, foreignKey, key, leftKey, leftValue } as const
  const exchange = { kind: 'exchange', where, changes: false, published: null } as const
  const asked = draft.add({ ...exchange, key, value: subscriptionSerde(), nullKeys: left }, [
    draft.add(subscribe, [one.node]),
  ])
  const lookup = { kind: 'foreign-key-lookup', where, key, store: subscriptions(name, key, leftKey) } as const
  const value = two.value === null ? null : subscriptionAnswerSerde(two.value)
  const answered = draft.add({ ...exchange, key: asBytes(leftKey), value, nullKeys: false }, [
    draft.add(lookup, [asked, two.node]),
  ])
  const { result = null } = serdes
  const store = result === null ? null : { name, key: leftKey, value: result }
  const end = { kind: 'foreign-key-join', where, left, joiner, leftKey, leftValue, store } as const
  return { ...one, node: draft.add(end, [answered, one.node], name), value: result }
}

function subscriptions(name: string, key: Serde<unknown>, leftKey: Serde<unknown>): StoreRef {
  const serdes = { key: combinedKeySerde(key, leftKey), value: string() }
  return { name: `${name}-subscriptions`, ...serdes, rows: 'foreign-key@1', groupOf: prefixOfCombined }
}
