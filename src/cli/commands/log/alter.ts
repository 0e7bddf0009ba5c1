import { TidemarkError } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { confirmOption, notYet } from '../../confirm.ts'
import { requireEmbedded } from '../../embedded-only.ts'
import { countOf } from '../../output/words.ts'
import { describeTopic } from '../../topics/describe-topic.ts'
import { parseSettings, settingsOption } from '../../topics/topic-settings.ts'
import { withLog } from '../../with-log.ts'

export const alter = command(
  (yargs) =>
    settingsOption(confirmOption(yargs))
      .positional('topic', { type: 'string', demandOption: true, describe: 'its name' })
      .option('partitions', {
        type: 'number',
        requiresArg: true,
        describe: 'number of partitions, never fewer than it has',
      }),
  async (args, io) => {
    requireEmbedded(args, 'altered', 'kafka-configs.sh --alter, or kafka-topics.sh --alter for partitions')
    const { topic: name, partitions } = args
    const settings = parseSettings(args.set)
    const changes = Object.entries(settings).map(([setting, value]) => `${setting}=${value}`)
    if (partitions !== undefined) changes.unshift(countOf(partitions, 'partition'))
    if (changes.length === 0) {
      throw new TidemarkError('USAGE', 'nothing to change was named', {
        hint: 'Give --partitions or --set NAME=VALUE.',
      })
    }
    const { topic, moves } = await withLog(args, async (log) => {
      const before = await describeTopic(log, name)
      if (args.yes) await log.admin().alter(name, { settings, ...(partitions === undefined ? {} : { partitions }) })
      const moves = partitions !== undefined && partitions > before.partitions
      return { moves, topic: args.yes ? await describeTopic(log, name) : before }
    })
    const { bounds: _, ...document } = topic
    io.result({ ...document, done: args.yes }, () => {
      if (args.yes) return `${name} has ${changes.join(', ')} now.`
      const warning = moves ? '; new records of a key may then go to another partition than its old ones' : ''
      return notYet(`${name} would get ${changes.join(', ')}${warning}.`)
    })
    return undefined
  },
)
