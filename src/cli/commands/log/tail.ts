import { TidemarkError } from '../../../core/errors.ts'
import { command } from '../../command.ts'
import { table } from '../../output/table.ts'
import { isoTimeInWords } from '../../output/words.ts'
import { describeTopic } from '../../topics/describe-topic.ts'
import { type TailRecord, tailTopic } from '../../topics/tail-topic.ts'
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
    io.result({ topic: args.topic, records }, () => recordsInWords(args.topic, records))
    return undefined
  },
)

function recordsInWords(topic: string, records: readonly TailRecord[]): string {
  if (records.length === 0) return `${topic} has no records.`
  const columns = ['partition', 'offset', 'timestamp', 'key', 'value']
  return table(
    columns.map((title, index) => ({ title, align: index < 2 ? 'right' : 'left' })),
    records.map((record) => [
      String(record.partition),
      String(record.offset),
      isoTimeInWords(record.timestamp),
      shown(record, 'key'),
      shown(record, 'value'),
    ]),
  )
}

/** A tombstone and a missing key are `null`; bytes that are no text are shown in base64. */
function shown(record: TailRecord, member: 'key' | 'value'): string {
  const value = record[member] ?? record[`${member}Text`] ?? record[`${member}Base64`] ?? null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
