import { counted } from '../../core/counted.ts'
import { formatDuration } from '../../core/duration.ts'
import { unreachable } from '../../core/errors.ts'
import type { JoinWindows } from '../join-windows.ts'
import type {
  AggregateNode,
  ExchangeNode,
  Node,
  NodeKind,
  StoreRef,
  SuppressNode,
  TableSourceNode,
  WindowedAggregateNode,
} from '../nodes.ts'
import type { TopicSpec } from '../topic-spec.ts'
import type { WindowSpec } from '../windows.ts'

const JOIN_WORDS = { inner: 'join', left: 'leftJoin', outer: 'outerJoin' } as const

type Words<Kind extends NodeKind> = (node: Extract<Node, { readonly kind: Kind }>) => string

const WORDS: { readonly [Kind in NodeKind]: Words<Kind> } = {
  'stream-source': (node) => `stream of ${topicWords(node.topic)}${timeWords(node.topic)}`,
  'table-source': (node) => `${tableWords(node)} of ${topicWords(node.topic)}${timeWords(node.topic)}`,
  filter: (node) => (node.negate ? 'filterNot' : 'filter'),
  'table-filter': (node) => (node.negate ? 'filterNot' : 'filter'),
  map: () => 'map',
  peek: () => 'peek',
  merge: () => 'merge',
  process: (node) => (node.keepsKeys ? 'processValues' : 'process'),
  foreach: () => 'foreach',
  split: () => 'split',
  print: (node) => `print as ${node.label}`,
  'choose-topic': (node) => `to a topic by record: ${node.topics.map(({ name }) => name).join(', ')}`,
  branch: (node) => `branch ${node.label}`,
  'map-values': () => 'mapValues',
  'table-map-values': () => 'mapValues',
  'flat-map': () => 'flatMap',
  'flat-map-values': () => 'flatMapValues',
  'select-key': () => 'selectKey',
  exchange: exchangeWords,
  'to-table': () => 'toTable',
  aggregate: (node) => `${folds(node)} ${node.aggregate.format}`,
  'table-aggregate': (node) => `aggregate ${node.aggregate.format}`,
  'windowed-aggregate': windowedWords,
  late: () => 'late records',
  suppress: suppressWords,
  'to-stream': () => 'toStream',
  'table-group-by': (node) => `groupBy (${node.key.format})`,
  'stream-table-join': ({ left, graceMs }) =>
    `${JOIN_WORDS[left ? 'left' : 'inner']}${graceMs === null ? '' : ` after ${formatDuration(graceMs)}`}`,
  'stream-global-table-join': (node) => (node.left ? 'leftJoin' : 'join'),
  'stream-stream-join': (node) => `${JOIN_WORDS[node.how]} ${joinWindowWords(node.windows)}`,
  'table-table-join': (node) => JOIN_WORDS[node.how],
  'foreign-key-subscribe': (node) => `asks by foreign key (${node.key.format})`,
  'foreign-key-lookup': () => 'answers with the rows of the foreign keys',
  'foreign-key-join': (node) => `${JOIN_WORDS[node.left ? 'left' : 'inner']} by foreign key`,
  'stream-sink': (node) => `to ${topicWords(node.topic)}`,
  'table-sink': (node) => `table to ${topicWords(node.topic)}${node.owner ? ', owner' : ''}`,
}

/** What a node does, in a few words: `filter`, `stream of flights (string, json)`. Without its store. */
export function nodeWords(node: Node): string {
  const words = WORDS[node.kind] as (node: Node) => string // the table says that the kinds match
  return words(node)
}

function tableWords({ global, history }: TableSourceNode): string {
  if (global === true) return 'global table'
  return history === undefined ? 'table' : 'versioned table'
}

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
  const bounds = [
    maxRecords === null ? '' : counted(maxRecords, 'record'),
    maxBytes === null ? '' : counted(maxBytes, 'byte'),
  ]
  const most = bounds.filter((bound) => bound !== '').join(' or ')
  return `suppress ${when}${most === '' ? '' : `, at most ${most}, then ${whenFull}`}`
}

function folds({ adders }: AggregateNode | WindowedAggregateNode): string {
  return adders === undefined ? 'aggregate' : 'cogroup'
}

function windowedWords(node: WindowedAggregateNode): string {
  const { aggregate, windows, emit } = node
  const grace = windows.graceMs === 0 ? '' : `, grace ${formatDuration(windows.graceMs)}`
  return `${folds(node)} ${aggregate.format}, ${windowWords(windows)}${grace}, ${emit.replaceAll('-', ' ')}`
}

function windowWords(windows: WindowSpec): string {
  switch (windows.kind) {
    case 'time': {
      const { sizeMs, advanceMs } = windows
      if (advanceMs === sizeMs) return `tumbling ${formatDuration(sizeMs)}`
      return `hopping ${formatDuration(sizeMs)} by ${formatDuration(advanceMs)}`
    }
    case 'calendar':
      return `every ${windows.unit} in ${windows.zone}`
    case 'sliding':
      return `sliding ${formatDuration(windows.differenceMs)}`
    case 'session':
      return `sessions with gaps of ${formatDuration(windows.gapMs)}`
    default:
      return unreachable(windows, 'the kind of windows')
  }
}
