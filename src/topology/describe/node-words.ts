import { formatDuration } from '../../core/duration.ts'
import { unreachable } from '../../core/errors.ts'
import type { JoinWindows } from '../join-windows.ts'
import type { ExchangeNode, Node, StoreRef, SuppressNode, WindowedAggregateNode } from '../nodes.ts'
import type { TopicSpec } from '../topic-spec.ts'
import type { WindowSpec } from '../windows.ts'

/** What a node does, in a few words: `filter`, `stream of flights (string, json)`. Without its store. */
export function nodeWords(node: Node): string {
  switch (node.kind) {
    case 'stream-source':
      return `stream of ${topicWords(node.topic)}${timeWords(node.topic)}`
    case 'table-source':
      return `${node.global === true ? 'global table' : 'table'} of ${topicWords(node.topic)}${timeWords(node.topic)}`
    case 'filter':
    case 'table-filter':
      return node.negate ? 'filterNot' : 'filter'
    case 'map':
    case 'peek':
    case 'merge':
      return node.kind
    case 'map-values':
    case 'table-map-values':
      return 'mapValues'
    case 'flat-map':
      return 'flatMap'
    case 'flat-map-values':
      return 'flatMapValues'
    case 'select-key':
      return 'selectKey'
    case 'exchange':
      return exchangeWords(node)
    case 'to-table':
      return 'toTable'
    case 'aggregate':
    case 'table-aggregate':
      return `aggregate ${node.aggregate.format}`
    case 'windowed-aggregate':
      return windowedWords(node)
    case 'late':
      return 'late records'
    case 'suppress':
      return suppressWords(node)
    case 'to-stream':
      return 'toStream'
    case 'table-group-by':
      return `groupBy (${node.key.format})`
    case 'stream-table-join':
    case 'stream-global-table-join':
      return node.left ? 'leftJoin' : 'join'
    case 'stream-stream-join':
      return `${JOIN_WORDS[node.how]} ${joinWindowWords(node.windows)}`
    case 'table-table-join':
      return JOIN_WORDS[node.how]
    case 'stream-sink':
      return `to ${topicWords(node.topic)}`
    case 'table-sink':
      return `table to ${topicWords(node.topic)}${node.owner ? ', owner' : ''}`
    default:
      return unreachable(node, 'a node')
  }
}

const JOIN_WORDS = { inner: 'join', left: 'leftJoin', outer: 'outerJoin' } as const

function joinWindowWords({ beforeMs, afterMs, graceMs }: JoinWindows): string {
  const grace = graceMs === 0 ? '' : `, grace ${formatDuration(graceMs)}`
  if (beforeMs === afterMs) return `within ${formatDuration(beforeMs)}${grace}`
  return `from ${formatDuration(beforeMs)} before to ${formatDuration(afterMs)} after${grace}`
}

/** A store with its serdes and how long it keeps windows: `counts (string, json), kept 1d`. */
export function storeWords({ name, key, value, retentionMs }: StoreRef): string {
  const kept = retentionMs === undefined ? '' : `, kept ${formatDuration(retentionMs)}`
  return `${name} (${key.format}, ${value.format})${kept}`
}

function topicWords({ name, key, value }: TopicSpec): string {
  return `${name} (${key.format}, ${value.format})`
}

function timeWords({ timestamp }: TopicSpec): string {
  switch (timestamp.from) {
    case 'record':
      return ''
    case 'field':
      return `, time from the field ${timestamp.field}`
    case 'wall-clock':
      return ', time of the run'
    case 'function':
      return ', time from a function'
  }
}

function exchangeWords({ key, changes, published }: ExchangeNode): string {
  const what = published === null ? '' : `, published as ${published.name}`
  return `exchange (${key.format})${changes ? ' of changes' : ''}${what}`
}

function suppressWords({ until, waitMs, maxRecords, maxBytes, whenFull }: SuppressNode): string {
  const when = until === 'time-limit' ? `for ${formatDuration(waitMs)}` : 'until windows close'
  const bounds = [maxRecords === null ? '' : `${maxRecords} records`, maxBytes === null ? '' : `${maxBytes} bytes`]
  const most = bounds.filter((bound) => bound !== '').join(' or ')
  return `suppress ${when}${most === '' ? '' : `, at most ${most}, then ${whenFull}`}`
}

function windowedWords({ aggregate, windows, emit }: WindowedAggregateNode): string {
  const grace = windows.graceMs === 0 ? '' : `, grace ${formatDuration(windows.graceMs)}`
  return `aggregate ${aggregate.format}, ${windowWords(windows)}${grace}, ${emit.replaceAll('-', ' ')}`
}

function windowWords(windows: WindowSpec): string {
  switch (windows.kind) {
    case 'time': {
      const { sizeMs, advanceMs } = windows
      if (advanceMs === sizeMs) return `tumbling ${formatDuration(sizeMs)}`
      return `hopping ${formatDuration(sizeMs)} by ${formatDuration(advanceMs)}`
    }
    case 'sliding':
      return `sliding ${formatDuration(windows.differenceMs)}`
    case 'session':
      return `sessions with gaps of ${formatDuration(windows.gapMs)}`
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
