import { openEnvironment } from '../../compose.ts'
import { TidemarkError } from '../../core/errors.ts'
import { parsePartitionKey } from '../../core/offsets.ts'
import { type ResetReport, resetJob } from '../../runtime/reset.ts'
import { type DroppedGeneration, dropGeneration } from '../../runtime/switching/drop-generation.ts'
import { command } from '../command.ts'
import { confirmOption, notYet } from '../confirm.ts'
import { jobOptions } from '../job-options.ts'
import { loadJobOf } from '../load-job-of.ts'
import { countInWords, countOf } from '../output/words.ts'

export const reset = command(
  (yargs) =>
    confirmOption(jobOptions(yargs))
      .option('state', { type: 'boolean', default: false, describe: 'stores, stream times and offsets' })
      .option('stream-time', { type: 'boolean', default: false, describe: 'stream times only' })
      .option('outputs', { type: 'boolean', default: false, describe: 'delete the topics that the job writes' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'remove this one, which is not live' }),
  async (args, io) => {
    const { state, outputs } = args
    const streamTime = args['stream-time']
    const { generation } = args
    if ((!state && !outputs && !streamTime) === (generation === undefined)) {
      throw new TidemarkError('USAGE', 'reset needs to be told what', {
        hint: 'Say --state, --stream-time or --outputs, or --generation alone.',
      })
    }
    const loaded = await loadJobOf(args)
    const env = await openEnvironment(args)
    try {
      if (generation !== undefined) {
        const dropped = await dropGeneration(env, loaded.job.name, generation, !args.yes)
        io.result(dropped, () => droppedInWords(dropped))
        return undefined
      }
      const report = await resetJob(env, loaded, { state, streamTime, outputs, dryRun: !args.yes })
      io.result(report, () => resetInWords(report, { state, streamTime }))
    } finally {
      await env.log.close()
    }
    return undefined
  },
)

function droppedInWords({ job, generation, role, done }: DroppedGeneration): string {
  const what = { range: 'a range', reprocessed: 'a reprocessing', retired: 'live once' }[role]
  return done ? `${job} (${generation}) is removed` : notYet(`${job} (${generation}), ${what}, would be removed`)
}

function resetInWords(report: ResetReport, asked: { readonly state: boolean; readonly streamTime: boolean }): string {
  const lines: string[] = []
  if (asked.state) lines.push(`stores emptied: ${report.stores.join(', ') || 'none'}`)
  if (asked.state || asked.streamTime) lines.push(`${countOf(report.streamTimes, 'stream time')} forgotten`)
  if (report.outputTopics.length > 0) lines.push(`topics deleted: ${report.outputTopics.join(', ')}`)
  for (const [key, offset] of Object.entries(report.offsets ?? {})) {
    const { topic, partition } = parsePartitionKey(key)
    lines.push(`${topic}[${partition}] starts at ${countInWords(offset)}`)
  }
  const head = report.done ? `${report.job} is reset` : `${report.job}: this is what a reset would do`
  const told = [head, '', ...lines].join('\n')
  return report.done ? told : notYet(told)
}
