import { command } from '../../command.ts'
import { confirmOption, notYet } from '../../confirm.ts'
import { requireEmbedded } from '../../embedded-only.ts'
import { describeTopic } from '../../topics/describe-topic.ts'
import { withLog } from '../../with-log.ts'

export const compact = command(
  (yargs) => confirmOption(yargs).positional('topic', { type: 'string', demandOption: true, describe: 'its name' }),
  async (args, io) => {
    requireEmbedded(args, 'compacted', 'kafka-configs.sh, with min.cleanable.dirty.ratio and max.compaction.lag.ms')
    await withLog(args, async (log) => {
      await describeTopic(log, args.topic)
      if (args.yes) await log.admin().compact(args.topic)
    })
    io.result({ topic: args.topic, done: args.yes }, () =>
      args.yes
        ? `${args.topic} holds the last record of each key now.`
        : notYet(`This would remove all records of ${args.topic} but the last of each key.`),
    )
    return undefined
  },
)
