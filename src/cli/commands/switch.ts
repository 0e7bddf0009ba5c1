import { switchGeneration } from '../../runtime/switching/switch-generation.ts'
import { command } from '../command.ts'
import { switchInWords, switchOptions, switchRequest } from '../switch-options.ts'
import { countOption, jobVersions, TOLERANCE_OPTION, toleranceOf } from '../version-options.ts'
import { withProgress } from '../with-progress.ts'

export const switchTo = command(
  (yargs) =>
    switchOptions(yargs)
      .positional('generation', { type: 'string', demandOption: true, describe: 'a reprocessing of the job' })
      .option('max-different', { type: 'number', describe: 'rows that may differ; default: that is not asked' })
      .option('tolerance', TOLERANCE_OPTION),
  async (args, io) => {
    const tolerance = toleranceOf(args.tolerance)
    const different = args['max-different']
    const maxDifferent = different === undefined ? null : countOption('max-different', different)
    const { generation } = args
    const request = { ...switchRequest(args), generation, how: 'switch', maxDifferent, tolerance } as const
    const jobs = await jobVersions(args, generation)
    const report = await withProgress(args, io, async (env, onProgress) => {
      return await switchGeneration(env, jobs, { ...request, onProgress })
    })
    io.result(report, () => switchInWords(report))
    return undefined
  },
)
