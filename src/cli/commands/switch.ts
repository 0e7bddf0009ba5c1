import { openEnvironment } from '../../compose.ts'
import { switchGeneration } from '../../runtime/switching/switch-generation.ts'
import { command } from '../command.ts'
import { runProgress } from '../run-progress.ts'
import { switchInWords, switchOptions, switchRequest } from '../switch-options.ts'
import { countOption, jobVersions, TOLERANCE_OPTION, toleranceOf } from '../version-options.ts'

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
    const env = await openEnvironment(args)
    const progress = runProgress(io)
    try {
      const report = await switchGeneration(env, jobs, { ...request, onProgress: progress.update })
      progress.stop()
      io.result(report, () => switchInWords(report))
    } finally {
      progress.stop()
      await env.log.close()
    }
    return undefined
  },
)
