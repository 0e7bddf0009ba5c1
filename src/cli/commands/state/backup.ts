import { statSync } from 'node:fs'
import { openState } from '../../../compose.ts'
import { command } from '../../command.ts'
import { openGeneration } from '../../generation-option.ts'
import { jobName } from '../../job-name.ts'
import { bytesInWords } from '../../output/words.ts'

export const backup = command(
  (yargs) =>
    yargs
      .positional('job', { type: 'string', demandOption: true, describe: 'a job' })
      .positional('file', { type: 'string', demandOption: true, describe: 'where the copy goes; it must not exist' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' }),
  async (args, io) => {
    const file = openGeneration(await openState(args), jobName(args.job), args.generation)
    try {
      await file.backup(args.file)
    } finally {
      file.close()
    }
    const { size } = statSync(args.file)
    io.result(
      { job: jobName(args.job), file: args.file, bytes: size },
      () => `wrote ${args.file} (${bytesInWords(size)})`,
    )
    return undefined
  },
)
