import { describeTopology } from '../../topology/describe/describe-topology.ts'
import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { loadJobOf } from '../load-job-of.ts'

export const describe = command(
  (yargs) =>
    jobOptions(yargs).option('format', {
      choices: ['text', 'mermaid', 'json'] as const,
      default: 'text' as const,
      describe: 'how to draw it',
    }),
  async (args, io) => {
    const { job } = await loadJobOf(args)
    const asJson = describeTopology(job.topology, 'json')
    io.result(JSON.parse(asJson), () => (args.format === 'json' ? asJson : describeTopology(job.topology, args.format)))
    return undefined
  },
)
