import { TidemarkError } from '../../../core/errors.ts'
import type { Log } from '../../../ports/log.ts'
import { command } from '../../command.ts'
import { confirmOption, notYet } from '../../confirm.ts'
import { requireEmbedded } from '../../embedded-only.ts'
import { countOf } from '../../output/words.ts'
import { describeTopic, type TopicState } from '../../topics/describe-topic.ts'
import { topicRanges } from '../../topics/topic-ranges.ts'
import { withLog } from '../../with-log.ts'

export const trim = command(
  (yargs) =>
    confirmOption(yargs)
      .positional('topic', { type: 'string', demandOption: true, describe: 'its name' })
      .option('before', { type: 'string', describe: 'a bound: what lies before it goes' })
      .option('expired', {
        type: 'boolean',
        default: false,
        describe: 'what its retention.ms and retention.bytes let go',
      }),
  async (args, io) => {
    requireEmbedded(args, 'trimmed', 'kafka-delete-records.sh')
    const { topic: name, before, expired } = args
    if ((before === undefined) === !expired) {
      throw new TidemarkError('USAGE', 'what to remove was not said, or said twice', {
        hint: 'Give --before with an offset, topic/partition=offset,... or a time; or --expired.',
      })
    }
    const trimmed = await withLog(args, async (log) => {
      const topic = await describeTopic(log, name)
      const starts = await newStarts(log, topic, before, io.now())
      const partitions = topic.bounds.map(({ partition, start }, index) => ({
        partition,
        start: Math.max(start, starts[index] ?? start),
        removed: Math.max(0, (starts[index] ?? start) - start),
      }))
      for (const { partition, start, removed } of partitions) {
        if (args.yes && removed > 0) await log.admin().trim({ topic: name, partition }, start)
      }
      return partitions
    })
    io.result({ topic: name, done: args.yes, partitions: trimmed }, () => {
      const lost = removedInWords(trimmed)
      return args.yes ? `${name} has lost ${lost}.` : notYet(`${name} would lose ${lost}.`)
    })
    return undefined
  },
)

async function newStarts(log: Log, topic: TopicState, before: string | undefined, now: number): Promise<number[]> {
  if (before === undefined) return (await log.admin().expired(topic.name, now)).map(({ offset }) => offset)
  return (await topicRanges(log, topic, { to: before }, now)).map(({ to }) => to)
}

function removedInWords(partitions: readonly { readonly partition: number; readonly removed: number }[]): string {
  const touched = partitions.filter(({ removed }) => removed > 0)
  const all = touched.reduce((sum, { removed }) => sum + removed, 0)
  const each = touched.map(({ partition, removed }) => `${removed} in partition ${partition}`)
  return all === 0 ? 'no offsets' : `${countOf(all, 'offset')} (${each.join(', ')})`
}
