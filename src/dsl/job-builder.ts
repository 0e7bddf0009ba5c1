import type { Duration } from '../core/duration.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import { checkedName } from '../topology/names.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'
import { GlobalKTable } from './global-ktable.ts'
import { historyStore } from './history-store.ts'
import type { JobDraft } from './job-draft.ts'
import { KStream } from './kstream.ts'
import { KTable } from './ktable.ts'
import type { Step } from './step.ts'
import type { Topic } from './topic.ts'
import { whereOfCall } from './where-of-call.ts'

export interface VersionedOptions {
  /** How long the table knows which value a key had when: updates older than this are left out. */
  readonly historyRetention: Duration
}

interface TableBuilder {
  <K, V>(topic: Topic<K, V>, name?: string): KTable<NonNullable<K>, NonNullable<V>>
  <K, V>(topic: Topic<K, V>, name: string, options: VersionedOptions): VersionedKTable<NonNullable<K>, NonNullable<V>>
}

type VersionedKTable<K, V> = KTable<K, V, null, 'serde', 'serde', 'versions'>

/** Where a job begins: streams and tables of topics. */
export interface JobBuilder {
  /** The records of a topic. */
  readonly stream: <K, V>(topic: Topic<K, V>) => KStream<K, V>
  /**
   * A topic read as a table. With a name it is kept in a store; otherwise only where a later step needs one. With a
   * `historyRetention` it is versioned.
   */
  readonly table: TableBuilder
  /** A topic read as a table that all tasks see whole, to be joined by any key. Its store has this name, or the topic's. */
  readonly globalTable: <K, V>(topic: Topic<K, V>, name?: string) => GlobalKTable<NonNullable<K>, NonNullable<V>>
}

interface Source {
  readonly kind: 'stream' | 'table' | 'global table'
  readonly topic: TopicSpec
  readonly name: string | null
  readonly retention: Duration | undefined
  readonly step: Step
}

/** The builder of a draft. A topic read twice in the same way is one source. */
export function jobBuilder(draft: JobDraft): JobBuilder {
  const sources = new Map<string, Source>()
  const sourceOf = (kind: Source['kind'], topic: TopicSpec, name: string | null, retention?: Duration): Step => {
    const before = sources.get(topic.name)
    if (before !== undefined) return sameSource(before, kind, topic, name, retention)
    const where = whereOfCall()
    const { key, value } = topic
    const kept = name !== null || retention !== undefined
    const store = kept ? { name: checkedName(name, 'a store', where), key, value } : null
    const shared = kind === 'global table' ? ({ global: true } as const) : {}
    const versioned = store === null || retention === undefined ? {} : { history: historyStore(store, retention) }
    const settings =
      kind === 'stream'
        ? ({ kind: 'stream-source', where, topic } as const)
        : ({ kind: 'table-source', where, topic, store, ...shared, ...versioned } as const)
    const step = { draft, node: draft.add(settings, [], name), key, value, rekeyed: false }
    sources.set(topic.name, { kind, topic, name, retention, step })
    return step
  }
  const table = (topic: TopicSpec, name?: string, options?: VersionedOptions): unknown =>
    new KTable(sourceOf('table', topic, name ?? null, options?.historyRetention))
  return {
    stream: (topic) => new KStream(sourceOf('stream', topic, null)),
    // the types of the table are those of its topic, and its rows those of its options
    table: table as TableBuilder,
    globalTable: (topic, name) => new GlobalKTable(sourceOf('global table', topic, name ?? null)),
  }
}

function sameSource(
  before: Source,
  kind: Source['kind'],
  topic: TopicSpec,
  name: string | null,
  retention: Duration | undefined,
): Step {
  const where = whereOfCall()
  if (before.kind !== kind) {
    throw invalidJob(
      where,
      `the topic ${topic.name} is read as a ${before.kind} and as a ${kind}`,
      "Read it once: make a table of the stream with toTable('name'), or a stream of the table with toStream().",
    )
  }
  if (!sameTopic(before.topic, topic)) {
    throw invalidJob(where, `the topic ${topic.name} is declared in two ways`, 'Declare it once, and use that.')
  }
  if (name !== null && (name !== before.name || retention !== before.retention)) {
    throw invalidJob(
      where,
      `the table of ${topic.name} has no name or another one already`,
      'Make the table once, with its name and its history, and use it twice.',
    )
  }
  return before.step
}

function sameTopic(one: TopicSpec, two: TopicSpec): boolean {
  return (
    one === two ||
    (one.key === two.key &&
      one.value === two.value &&
      one.nullKey === two.nullKey &&
      one.nullValue === two.nullValue &&
      one.onInvalidTimestamp === two.onInvalidTimestamp &&
      one.timestamp.from === two.timestamp.from &&
      one.timestamp.from !== 'function' &&
      JSON.stringify(one.timestamp) === JSON.stringify(two.timestamp))
  )
}
