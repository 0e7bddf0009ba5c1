import { TidemarkError } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { describeTopic } from '../../topics/describe-topic.ts'
import { tailTopic } from '../../topics/tail-topic.ts'
import { tailInParts } from '../../topics/tail-words.ts'
import { withLog } from '../../with-log.ts'

export const tail = command(
  (yargs) =>
    yargs
      .positional('topic', { type: 'string', demandOption: true, describe: 'its name' })
      .option('records', { alias: 'n', type: 'number', requiresArg: true, default: 10, describe: 'how many' }),
  async (args, io) => {
    if (!Number.isSafeInteger(args.records) || args.records < 1) {
      throw new TidemarkError('USAGE', `--records ${args.records} is not a number of records`)
    }
    const records = await withLog(args, async (log) =>
      tailTopic(log, await describeTopic(log, args.topic), args.records),
    )
    if (io.json) io.result({ topic: args.topic, records }, () => '')
    else io.pieces(tailInParts(args.topic, records))
    return undefined
  },
)
