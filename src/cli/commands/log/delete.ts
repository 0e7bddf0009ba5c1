import { command } from '../../command.ts'
import { confirmOption, requireConfirmed } from '../../confirm.ts'
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
      requireConfirmed(args, `${args.topic} would be removed, with ${countOf(count, 'offset')}`)
      await log.admin().delete(args.topic)
      return count
    })
    io.result(
      { topic: args.topic, deleted: true, offsets },
      () => `Removed ${args.topic}, with ${countOf(offsets, 'offset')}.`,
    )
    return undefined
  },
)
