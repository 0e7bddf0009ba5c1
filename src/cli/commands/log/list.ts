import { command } from '../../command.ts'
import { table } from '../../output/table.ts'
import { countInWords, countOf } from '../../output/words.ts'
import { shownLog } from '../../shown-log.ts'
import { describeTopics, offsetsIn, type TopicState } from '../../topics/describe-topic.ts'
import { withLog } from '../../with-log.ts'

export const list = command(
  (yargs) =>
    yargs.positional('topic', {
      type: 'string',
      array: true,
      describe: 'topics to show with their partitions and settings',
    }),
  async ({ topic, log: url }, io) => {
    const named = topic !== undefined && topic.length > 0
    const topics = await withLog({ log: url }, (log) => describeTopics(log, named ? topic : undefined))
    io.result({ log: shownLog(url), topics: topics.map(topicDocument) }, () => {
      if (topics.length === 0) return `No topics in ${shownLog(url)} yet: tidemark log import makes one.`
      return named ? topics.map(topicInWords).join('\n\n') : topicsInWords(topics)
    })
    return undefined
  },
)

function topicDocument({ name, id, partitions, settings, bounds }: TopicState) {
  return {
    name,
    id,
    partitions,
    offsets: offsetsIn(bounds),
    settings,
    bounds: bounds.map(({ partition, start, end, highWatermark }) => ({ partition, start, end, highWatermark })),
  }
}

function topicsInWords(topics: readonly TopicState[]): string {
  return table(
    [
      { title: 'topic' },
      { title: 'partitions', align: 'right' },
      { title: 'offsets', align: 'right' },
      { title: 'policy' },
    ],
    topics.map(({ name, partitions, settings, bounds }) => [
      name,
      countInWords(partitions),
      countInWords(offsetsIn(bounds)),
      settings['cleanup.policy'] ?? '',
    ]),
  )
}

function topicInWords({ name, id, settings, bounds }: TopicState): string {
  const shown = Object.entries(settings).map(([setting, value]) => `${setting}=${value}`)
  const title = `${name}: ${countOf(bounds.length, 'partition')}, ${countOf(offsetsIn(bounds), 'offset')}, id ${id}`
  const partitions = table(
    ['partition', 'start', 'end', 'held back'].map((column) => ({ title: column, align: 'right' as const })),
    bounds.map(({ partition, start, end, highWatermark }) =>
      [partition, start, end, highWatermark - end].map((number) => countInWords(number)),
    ),
  )
  return [title, ...(shown.length === 0 ? [] : [`settings: ${shown.join(', ')}`]), partitions].join('\n')
}
