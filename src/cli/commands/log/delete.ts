import { command } from '../../command.ts'
import { confirmOption, notYet } from '../../confirm.ts'
import { requireEmbedded } from '../../embedded-only.ts'
import { countOf } from '../../output/words.ts'
import { describeTopic, offsetsIn } from '../../topics/describe-topic.ts'
import { withLog } from '../../with-log.ts'

export const deleteTopic = command(
  (yargs) => confirmOption(yargs).positional('topic', { type: 'string', demandOption: true, describe: 'its name' }),
  async (args, io) => {
    requireEmbedded(args, 'deleted', 'kafka-topics.sh --delete')
    const offsets = await withLog(args, async (log) => {
      const topic = await describeTopic(log, args.topic)
      const count = offsetsIn(topic.bounds)
      if (args.yes) await log.admin().delete(args.topic)
      return count
    })
    const what = `${args.topic}, with ${countOf(offsets, 'offset')}`
    io.result({ topic: args.topic, done: args.yes, offsets }, () =>
      args.yes ? `Removed ${what}.` : notYet(`This would remove ${what}.`),
    )
    return undefined
  },
)
