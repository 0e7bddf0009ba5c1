import { openEnvironment } from '../../../compose.ts'
import { restoreState } from '../../../runtime/restore-state.ts'
import { command } from '../../command.ts'
import { jobOptions } from '../../job-options.ts'
import { loadJobOf } from '../../load-job-of.ts'
import { countOf } from '../../output/words.ts'

export const restore = command(
  (yargs) =>
    jobOptions(yargs).positional('file', {
      type: 'string',
      describe: 'a backup; without it, goes on with a restore that was cut short',
    }),
  async (args, io) => {
    const loaded = await loadJobOf(args)
    const env = await openEnvironment(args)
    try {
      const report = await restoreState(env, loaded, args.file ?? null)
      io.result(report, () => {
        const { job, generation, replayed, records } = report
        const brought = `brought up to the log's last commit: ${countOf(replayed, 'commit')}, ${countOf(records, 'record')}`
        return `${job} (${generation}) is restored\n${replayed === 0 ? 'the backup is the last commit' : brought}`
      })
    } finally {
      await env.log.close()
    }
    return undefined
  },
)
