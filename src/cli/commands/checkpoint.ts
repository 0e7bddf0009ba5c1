import { openEnvironment } from '../../compose.ts'
import { TidemarkError } from '../../core/errors.ts'
import { parsePartitionKey } from '../../core/offsets.ts'
import { liveCheckpoint } from '../../runtime/live-checkpoint.ts'
import { setCheckpoint } from '../../runtime/set-checkpoint.ts'
import { command } from '../command.ts'
import { confirmOption, notYet } from '../confirm.ts'
import { jobOptions } from '../job-options.ts'
import { loadJobOf } from '../load-job-of.ts'
import { type Column, table } from '../output/table.ts'
import { countInWords, timeInWords } from '../output/words.ts'

export const checkpoint = command(
  (yargs) =>
    confirmOption(jobOptions(yargs))
      .positional('action', { choices: ['set'] as const, describe: 'set: move it' })
      .option('to', { type: 'string', requiresArg: true, describe: 'set: the bound to move to' }),
  async (args, io) => {
    const loaded = await loadJobOf(args)
    const env = await openEnvironment(args)
    try {
      if (args.action === 'set') {
        if (args.to === undefined) {
          throw new TidemarkError('USAGE', 'checkpoint set needs --to', { hint: 'Say where: --to 120, --to -6h, ...' })
        }
        const moves = await setCheckpoint(env, loaded, args.to, !args.yes)
        io.result({ job: loaded.job.name, done: args.yes, moves }, () => {
          const rows = moves.map(({ topic, partition, from, to }) => [
            topic,
            String(partition),
            from === null ? '-' : countInWords(from),
            countInWords(to),
          ])
          const drawn = table([{ title: 'topic' }, ...titledNumbers('partition', 'from', 'to')], rows)
          return args.yes ? `moved\n\n${drawn}` : notYet(drawn)
        })
        return undefined
      }
      const live = liveCheckpoint(env, loaded.job.name)
      const known = live?.checkpoint ?? null
      io.result({ job: loaded.job.name, generation: live?.generation ?? null, checkpoint: known }, () => {
        if (known === null) return `${loaded.job.name} has no checkpoint yet`
        const rows = Object.entries(known.offsets).map(([key, offset]) => {
          const { topic, partition } = parsePartitionKey(key)
          const time = known.partitionTimes[key]
          return [topic, String(partition), countInWords(offset), time === undefined ? '-' : timeInWords(time)]
        })
        const titles = [{ title: 'topic' }, ...titledNumbers('partition', 'next offset'), { title: 'greatest time' }]
        const { seq, id } = known.token
        return [`commit ${seq} (${id})`, '', table(titles, rows)].join('\n')
      })
      return undefined
    } finally {
      await env.log.close()
    }
  },
)

function titledNumbers(...titles: readonly string[]): readonly Column[] {
  return titles.map((title) => ({ title, align: 'right' }))
}
