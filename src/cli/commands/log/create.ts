import type { Log, NewTopic, TopicDescription } from '../../../ports/log.ts'
import { command } from '../../command.ts'
import { countOf } from '../../output/words.ts'
import { findTopic } from '../../topics/find-topic.ts'
import { parseSettings, settingsOption } from '../../topics/topic-settings.ts'
import { withLog } from '../../with-log.ts'

export const create = command(
  (yargs) =>
    settingsOption(yargs)
      .positional('topic', { type: 'string', demandOption: true, describe: 'its name' })
      .option('partitions', { type: 'number', requiresArg: true, default: 1, describe: 'number of partitions' })
      .option('if-missing', { type: 'boolean', default: false, describe: 'leave a topic alone that is there' }),
  async (args, io) => {
    const topic = { name: args.topic, partitions: args.partitions, settings: parseSettings(args.set) }
    const { created, description } = await withLog(args, (log) => make(log, topic, args.ifMissing))
    io.result({ created, ...description }, () =>
      created
        ? `Made ${description.name} with ${countOf(description.partitions, 'partition')}.`
        : `${description.name} is there already, with ${countOf(description.partitions, 'partition')}.`,
    )
    return undefined
  },
)

async function make(
  log: Log,
  topic: NewTopic,
  ifMissing: boolean,
): Promise<{ created: boolean; description: TopicDescription }> {
  const there = ifMissing ? await findTopic(log, topic.name) : undefined
  if (there !== undefined) return { created: false, description: there }
  return { created: true, description: await log.admin().create(topic) }
}
