import { join } from 'node:path'
import { openFiles } from '../../../compose.ts'
import { command } from '../../command.ts'
import { importFile } from '../../import/import-file.ts'
import { importOptions, importRequest } from '../../import/import-options.ts'
import { importInWords } from '../../import/import-words.ts'
import { withLog } from '../../with-log.ts'

export const importRows = command(importOptions, async (args, io) => {
  const request = importRequest(args, join(args.stateDir, 'tmp'))
  const files = await openFiles()
  const report = await withLog(args, (log) => importFile(request, log, files, io))
  io.result(report, () => importInWords(report))
  return undefined
})
