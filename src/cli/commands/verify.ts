import { EXIT } from '../../core/error-codes.ts'
import { FIRST_GENERATION } from '../../runtime/generations.ts'
import { type VerifiedRun, type VerifyReport, verifyJob } from '../../runtime/history/verify-job.ts'
import { liveName } from '../../runtime/live-name.ts'
import { command } from '../command.ts'
import { jobOptions } from '../job-options.ts'
import { loadJobOf } from '../load-job-of.ts'
import { table } from '../output/table.ts'
import { countInWords, countOf, secondInWords } from '../output/words.ts'
import { stopOnSignal } from '../stop-on-signal.ts'
import { withProgress } from '../with-progress.ts'

export const verify = command(
  (yargs) =>
    jobOptions(yargs)
      .option('run', { type: 'string', requiresArg: true, describe: 'up to this run: an id, or its beginning' })
      .option('generation', { type: 'string', requiresArg: true, describe: 'default: the live one' }),
  async (args, io) => {
    const loaded = await loadJobOf(args, args.generation)
    const report = await withProgress(args, io, async (env, onProgress) => {
      const generation = args.generation ?? liveName(env.state, loaded.job.name) ?? FIRST_GENERATION
      const run = args.run === undefined ? {} : { run: args.run }
      return await verifyJob(env, loaded, { generation, ...run, stop: stopOnSignal(io.stopSignal()), onProgress })
    })
    io.result(report, () => inWords(report))
    if (report.runs.some(({ verdict }) => verdict === 'input-changed')) return EXIT.inputLost
    return report.same ? EXIT.ok : EXIT.state
  },
)

const VERDICTS: Readonly<Record<VerifiedRun['verdict'], string>> = {
  same: 'the same',
  'input-changed': 'input compacted or changed',
  'result-changed': 'another result',
  'cuts-merged': 'another order: cuts merged',
  unknown: 'no digests',
}

function inWords({ job, generation, runs, same, notices }: VerifyReport): string {
  const told = notices.length === 0 ? [] : ['', ...notices]
  if (runs.length === 0) return [`${job} (${generation}): no run to verify`, ...told].join('\n')
  const shown = same ? runs.slice(-5) : runs.filter(({ verdict }) => verdict !== 'same')
  const rows = shown.map((run) => [
    run.runId.slice(0, 8),
    run.startedAt === null ? '-' : secondInWords(run.startedAt),
    countInWords(run.records),
    VERDICTS[run.verdict],
    [...run.inputs, ...run.outputs, ...run.stores].join(' ') || '-',
  ])
  const titles = [
    { title: 'run' },
    { title: 'started' },
    { title: 'records', align: 'right' },
    { title: 'replayed' },
    { title: 'differs in', idle: '-' },
  ] as const
  return [headline({ job, generation, runs, same, notices }), '', table(titles, rows), ...told].join('\n')
}

function headline({ job, generation, runs, same }: VerifyReport): string {
  const name = `${job} (${generation})`
  const unknown = runs.filter(({ verdict }) => verdict === 'unknown').length
  const without = unknown === 0 ? '' : ` (${countInWords(unknown)} without digests)`
  if (same) return `${name}: ${countOf(runs.length, 'run')} replayed to the same${without}`
  const first = runs.find(({ verdict }) => verdict.endsWith('-changed'))
  const why = first === undefined ? '' : `; the first is ${first.runId.slice(0, 8)}: ${reason(first)}`
  const differing = runs.filter(({ verdict }) => verdict.endsWith('changed')).length
  return `${name}: ${countOf(differing, 'run')} of ${countInWords(runs.length)} differ${without}${why}`
}

function reason({ verdict, otherJob }: VerifiedRun): string {
  if (verdict === 'input-changed') return 'its input was compacted or changed since'
  if (otherJob) return 'the job file is another one now'
  return 'the same input gives another result: does the job look at a clock, chance, or the outside?'
}
