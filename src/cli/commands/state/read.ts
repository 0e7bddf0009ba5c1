import { openState } from '../../../compose.ts'
import { type StoreEntry, type StoreQuery, StoreReader } from '../../../runtime/stores/store-reader.ts'
import { command } from '../../command.ts'
import { openGeneration } from '../../generation-option.ts'
import { jobOptions } from '../../job-options.ts'
import { limitOption } from '../../limit-option.ts'
import { loadJobOf } from '../../load-job-of.ts'
import { storeDocumentInParts, storeRowsInParts } from '../../output/store-words.ts'
import { askedStore } from './asked-store.ts'
import { storeQueries } from './store-queries.ts'

export const read = command(
  (yargs) =>
    jobOptions(yargs)
      .positional('store', { type: 'string', demandOption: true, describe: 'a store of the job' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' })
      .option('key', { type: 'string', requiresArg: true, describe: 'one key, as it is shown' })
      .option('prefix', { type: 'string', requiresArg: true, describe: 'keys that begin with this' })
      .option('from', { type: 'string', requiresArg: true, describe: 'windows that start at or past this time' })
      .option('to', { type: 'string', requiresArg: true, describe: 'windows that start before this time' })
      .option('limit', { type: 'number', describe: 'rows at most' })
      .option('format', {
        choices: ['table', 'csv', 'json'] as const,
        default: 'table',
        describe: 'json: a line each',
      }),
  async (args, io) => {
    const { job } = await loadJobOf(args, args.generation)
    const limit = args.limit === undefined ? Number.POSITIVE_INFINITY : limitOption(args.limit)
    const file = openGeneration(await openState(args), job.name, args.generation)
    try {
      const reader = new StoreReader(file, job, args.store)
      const queries = storeQueries(args, askedStore(job, args.store), io.now())
      const rows = take(queries, reader, limit)
      if (io.json) io.pieces(storeDocumentInParts(job.name, args.store, rows))
      else io.pieces(storeRowsInParts(rows, args.format))
    } finally {
      file.close()
    }
    return undefined
  },
)

function* take(queries: readonly StoreQuery[], reader: StoreReader, limit: number): Generator<StoreEntry> {
  let rows = 0
  for (const query of queries) {
    for (const entry of reader.entries(query)) {
      if (rows++ >= limit) return
      yield entry
    }
  }
}
