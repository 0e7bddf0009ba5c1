import { openState } from '../../../compose.ts'
import { timeOfBound } from '../../../planner/bound.ts'
import { parseBound } from '../../../planner/parse-bound.ts'
import { type StoreEntry, type StoreQuery, StoreReader } from '../../../runtime/store-reader.ts'
import { command } from '../../command.ts'
import { openGeneration } from '../../generation-option.ts'
import type { Io } from '../../io.ts'
import { jobOptions } from '../../job-options.ts'
import { loadJobOf } from '../../load-job-of.ts'
import { storeRowsInWords } from '../../output/store-words.ts'

export const read = command(
  (yargs) =>
    jobOptions(yargs)
      .positional('store', { type: 'string', demandOption: true, describe: 'a store of the job' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' })
      .option('key', { type: 'string', requiresArg: true, describe: 'one key' })
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
    const { job } = await loadJobOf(args)
    const file = openGeneration(await openState(args), job.name, args.generation)
    try {
      const reader = new StoreReader(file, job, args.store)
      const times = { fromTime: time(args.from, '--from', io), toTime: time(args.to, '--to', io) }
      const query = defined({ key: args.key, prefix: args.prefix, ...times })
      const rows = take(reader.entries(query), args.limit ?? Number.POSITIVE_INFINITY)
      io.result({ job: job.name, store: args.store, rows }, () => storeRowsInWords(rows, args.format))
    } finally {
      file.close()
    }
    return undefined
  },
)

function time(text: string | undefined, option: string, io: Io): number | undefined {
  return text === undefined ? undefined : (timeOfBound(parseBound(text, option), io.now()) ?? undefined)
}

/** The query without what was not asked. */
function defined(query: { [Name in keyof StoreQuery]: StoreQuery[Name] | undefined }): StoreQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

function take(entries: Iterable<StoreEntry>, limit: number): StoreEntry[] {
  const rows: StoreEntry[] = []
  for (const entry of entries) {
    if (rows.length >= limit) break
    rows.push(entry)
  }
  return rows
}
