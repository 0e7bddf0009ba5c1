import type { DraftNode, SettingsOf } from '../draft.ts'
import { invalidJob } from '../invalid-job.ts'
import type { TopicSpec } from '../topic-spec.ts'
import { storeOf } from './store-of.ts'

type Source = DraftNode & { readonly settings: SettingsOf<'stream-source'> | SettingsOf<'table-source'> }
type Sink = DraftNode & { readonly settings: SettingsOf<'stream-sink'> | SettingsOf<'table-sink'> }

/**
 * A topic that is both written and read becomes an exchange that is also published: one in the place of each sink, so that
 * records leave a step in the order of the calls. What followed the source follows the exchanges: directly, behind a
 * `merge` where there are several, or, where the topic is read as a table, behind a `to-table`.
 */
export function withPublishedExchanges(draft: readonly DraftNode[]): readonly DraftNode[] {
  const sources = new Map(draft.filter(isSource).map((node) => [node.settings.topic.name, node]))
  const sinksOf = (topic: string) => draft.filter(isSink).filter(({ settings }) => settings.topic.name === topic)
  return draft.flatMap((node): readonly DraftNode[] => {
    if (isSink(node)) {
      const source = sources.get(node.settings.topic.name)
      if (source === undefined) return [node]
      const alone = source.settings.kind === 'stream-source' && sinksOf(node.settings.topic.name).length === 1
      return [{ ...node, id: alone ? source.id : node.id, settings: published(node, source.settings.topic) }]
    }
    if (!isSource(node)) return [node]
    const sinks = sinksOf(node.settings.topic.name).map(({ id }) => id)
    return sinks.length === 0 ? [node] : behind(node, sinks)
  })
}

function isSource(node: DraftNode): node is Source {
  return node.settings.kind === 'stream-source' || node.settings.kind === 'table-source'
}

function isSink(node: DraftNode): node is Sink {
  return node.settings.kind === 'stream-sink' || node.settings.kind === 'table-sink'
}

function behind(source: Source, exchanges: readonly number[]): readonly DraftNode[] {
  const { settings } = source
  if (settings.kind === 'table-source') {
    const store = settings.store ?? storeOf(settings.topic)
    const { topic: _, ...kept } = settings
    return [{ ...source, parents: exchanges, settings: { ...kept, kind: 'to-table', store } }]
  }
  if (exchanges.length === 1) return []
  return [{ ...source, parents: exchanges, settings: { kind: 'merge', where: settings.where } }]
}

/** The exchange in the place of a sink. */
function published({ settings }: Sink, topic: TopicSpec): SettingsOf<'exchange'> {
  const { where } = settings
  if (settings.kind === 'table-sink' && settings.owner) {
    throw invalidJob(
      where,
      `the topic ${topic.name} has an owner, and this job reads it too`,
      'Leave owner: true away, or go on from the table itself instead of from its topic.',
    )
  }
  if (topic.timestamp.from !== 'record') {
    throw invalidJob(
      where,
      `the topic ${topic.name} has a timestamp extractor, and this job writes it`,
      'What a job sends to itself keeps its time: declare the topic without one.',
    )
  }
  const { key, value, nullKey } = topic
  return { kind: 'exchange', where, key, value, nullKeys: nullKey, changes: false, published: topic }
}
