import { FIRST_GENERATION } from '../../runtime/generations.ts'
import { type ExplainedWrite, type ExplainReport, explainRows } from '../../runtime/history/explain-rows.ts'
import { liveName } from '../../runtime/live-name.ts'
import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { limitOption } from '../limit-option.ts'
import { loadJobOf } from '../load-job-of.ts'
import { cellText } from '../output/store-words.ts'
import { table } from '../output/table.ts'
import { countOf, timeInWords } from '../output/words.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { withProgress } from '../with-progress.ts'
import { askedStore } from './state/asked-store.ts'
import { storeQueries } from './state/store-queries.ts'

export const explain = command(
  (yargs) =>
    jobOptions(yargs)
      .positional('store', { type: 'string', demandOption: true, describe: 'a store of the job' })
      .positional('key', { type: 'string', demandOption: true, describe: 'a key, as tidemark state shows it' })
      .option('from', { type: 'string', requiresArg: true, describe: 'windows that start at or past this time' })
      .option('to', { type: 'string', requiresArg: true, describe: 'windows that start before this time' })
      .option('run', { type: 'string', requiresArg: true, describe: 'up to this run: an id, or its beginning' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' })
      .option('limit', { type: 'number', default: 1000, describe: 'the newest writes, at most' }),
  async (args, io) => {
    const limit = limitOption(args.limit)
    const loaded = await loadJobOf(args, args.generation)
    const report = await withProgress(args, io, async (env, onProgress) => {
      return await explainRows(env, loaded, {
        generation: args.generation ?? liveName(env.state, loaded.job.name) ?? FIRST_GENERATION,
        store: args.store,
        queries: storeQueries({ ...args, prefix: undefined }, askedStore(loaded.job, args.store), io.now()),
        ...(args.run === undefined ? {} : { run: args.run }),
        limit,
        stop: stopOnSignal(io.stopSignal()),
        onProgress,
      })
    })
    io.result(report, () => inWords(report))
    return undefined
  },
)

function inWords({ store, writes, omitted, notices }: ExplainReport): string {
  if (writes.length + omitted === 0) return [`nothing was ever written to that key of ${store}`, ...notices].join('\n')
  const windowed = writes.some(({ before, after }) => (after ?? before)?.start !== undefined)
  const titles = [
    'run',
    'record',
    'time',
    'record key',
    'record value',
    ...(windowed ? ['window'] : []),
    'before',
    'after',
  ]
  const earlier = omitted === 0 ? [] : ['', `${countOf(omitted, 'earlier write')} not shown`]
  const rows = writes.map((write) => rowOf(write, windowed))
  const head = `${store} was written ${countOf(writes.length + omitted, 'time')}`
  const drawn = table(
    titles.map((title) => ({ title })),
    rows,
  )
  return [head, '', drawn, ...earlier, ...(notices.length === 0 ? [] : ['', ...notices])].join('\n')
}

function rowOf({ runId, record, before, after }: ExplainedWrite, windowed: boolean): string[] {
  const { start, end } = after ?? before ?? {}
  const window = start === undefined ? '-' : `${timeInWords(start)} to ${timeInWords(end ?? start)}`
  const where = record === null ? 'end of the range' : `${record.topic}[${record.partition}]@${record.offset}`
  return [
    runId.slice(0, 8),
    where,
    record === null ? '-' : timeInWords(record.timestamp),
    record === null ? '-' : cellText(record.key),
    record === null ? '-' : shortened(cellText(record.value)),
    ...(windowed ? [window] : []),
    before === null ? '-' : cellText(before.value),
    after === null ? '-' : cellText(after.value),
  ]
}

/** JSON has it whole. */
function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`
}

const MOST_CHARACTERS = 60
