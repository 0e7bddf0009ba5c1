import { loadJob } from '../../compose.ts'
import { TidemarkError } from '../../core/errors.ts'
import type { LoadedJob } from '../../runtime/loaded-job.ts'
import { type ReprocessReport, reprocess as reprocessJob } from '../../runtime/switching/reprocess.ts'
import { command } from '../command.ts'
import { DATA_LOSS_OPTION } from '../data-loss-option.ts'
import { type JobOptions, jobOptions } from '../job-options.ts'
import { loadJobOf } from '../load-job-of.ts'
import { printing } from '../output/printing.ts'
import { countOf } from '../output/words.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { withProgress } from '../with-progress.ts'

export const reprocess = command(
  (yargs) =>
    jobOptions(yargs)
      .option('as', { type: 'string', requiresArg: true, demandOption: true, describe: 'name of the generation' })
      .option('with', { type: 'string', requiresArg: true, describe: 'a job file: another version of the job' })
      .option('cuts', {
        choices: ['kept', 'none'] as const,
        default: 'kept' as const,
        describe: 'none: all of history as one range',
      })
      .option('on-data-loss', DATA_LOSS_OPTION)
      .option('replace', {
        type: 'boolean',
        default: false,
        describe: 'drop what a reprocessing of this name has first',
      }),
  async (args, io) => {
    const loaded = await versionOf(args, args.with)
    const { as, cuts, replace } = args
    const report = await withProgress(args, io, async (env, onProgress) => {
      const stop = stopOnSignal(io.stopSignal())
      const request = { as, cuts, replace, onDataLoss: args['on-data-loss'], stop, onProgress }
      return await reprocessJob(printing(env, io), loaded, request)
    })
    io.result(report, () => inWords(report))
    return undefined
  },
)

/** Another version of a job has its name. */
async function versionOf(args: JobOptions, file: string | undefined): Promise<LoadedJob> {
  const live = await loadJobOf(args)
  if (file === undefined) return live
  const loaded = await loadJob(file, args.jobs, args.stateDir)
  if (loaded.job.name === live.job.name) return loaded
  throw new TidemarkError('JOB_INVALID', `${file} is the job ${loaded.job.name}, not ${live.job.name}`, {
    hint: 'Another version of a job is called as the job is.',
  })
}

function inWords({ job, generation, of, commit, steps, records, stores, notices }: ReprocessReport): string {
  const done = steps === 0 ? 'nothing to do' : `replayed ${countOf(records, 'record')} in ${countOf(steps, 'run')}`
  const rows = stores.map(({ name, entries }) => `${name}: ${countOf(entries, 'row')}`)
  const next = [
    `compare with:  tidemark diff ${job} ${generation}`,
    `go over with:  tidemark switch ${job} ${generation}`,
  ]
  const told = notices.length === 0 ? [] : ['', ...notices]
  return [
    `${job} (${generation}) ${done}; it stands at commit ${commit} of ${of}`,
    '',
    ...rows,
    ...told,
    '',
    ...next,
  ].join('\n')
}
