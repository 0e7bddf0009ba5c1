import { describeJson } from '../../topology/describe/describe-json.ts'
import { describeMermaid } from '../../topology/describe/describe-mermaid.ts'
import { describeText } from '../../topology/describe/describe-text.ts'
import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { loadJobOf } from '../load-job-of.ts'
import { jsonDocument } from '../output/json.ts'

export const describe = command(
  (yargs) =>
    jobOptions(yargs).option('format', {
      choices: ['text', 'mermaid', 'json'] as const,
      default: 'text' as const,
      describe: 'how to draw it',
    }),
  async (args, io) => {
    const { job } = await loadJobOf(args)
    const described = describeJson(job)
    io.result(described, () => {
      if (args.format === 'json') return jsonDocument(described, true)
      return args.format === 'mermaid' ? describeMermaid(job) : describeText(job)
    })
    return undefined
  },
)
