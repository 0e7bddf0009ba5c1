import type { Argv } from 'yargs'
import { durationMs } from '../core/duration.ts'
import { TidemarkError } from '../core/errors.ts'
import type { PartSize } from '../planner/backfill/cut-parts.ts'
import type { BackfillRequest } from '../runtime/backfill/backfill-request.ts'
import { DATA_LOSS_OPTION, type DataLossOption } from './data-loss-option.ts'
import type { GlobalOptions } from './global-options.ts'
import { type JobOptions, jobOptions } from './job-options.ts'

export interface BackfillOptions extends JobOptions, DataLossOption {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly missing: boolean
  readonly every: string | undefined
  readonly as: string | undefined
  readonly emit: boolean
  readonly replace: boolean
  readonly rate: number | undefined
  readonly dryRun: boolean
}

/** What a backfill may be told. */
export function backfillOptions(yargs: Argv<GlobalOptions>): Argv<BackfillOptions> {
  return jobOptions(yargs)
    .option('from', { type: 'string', requiresArg: true, describe: 'start: a time, an offset, earliest, -30d, ...' })
    .option('to', { type: 'string', requiresArg: true, describe: 'end: a time, an offset, latest, ...' })
    .option('missing', { type: 'boolean', default: false, describe: 'only what no run has processed' })
    .option('every', {
      type: 'string',
      requiresArg: true,
      describe: 'in parts of so much time (6h), or of so many offsets (+100000)',
    })
    .option('as', {
      type: 'string',
      requiresArg: true,
      describe: 'name of the generation; by default made of the bounds',
    })
    .option('emit', { type: 'boolean', default: false, describe: 'publish the results' })
    .option('replace', { type: 'boolean', default: false, describe: 'drop what a range of this name has first' })
    .option('rate', { type: 'number', requiresArg: true, describe: 'at most so many records a second' })
    .option('on-data-loss', DATA_LOSS_OPTION)
    .option('dry-run', {
      type: 'boolean',
      default: false,
      describe: 'show the parts, and how long they may take, and read nothing',
    }) as unknown as Argv<BackfillOptions>
}

/** The request that the options make. Throws USAGE. */
export function backfillRequest(options: BackfillOptions): BackfillRequest {
  const { from, to, missing, every, as, emit, replace, rate, onDataLoss } = options
  if (missing && every !== undefined) {
    throw new TidemarkError('USAGE', '--every with --missing: what is missing is in parts already', {
      hint: 'Leave --every out.',
    })
  }
  if (rate !== undefined && !(rate > 0 && Number.isFinite(rate))) {
    throw new TidemarkError('USAGE', `--rate ${rate} is not a number of records a second`, {
      hint: 'Write a number above 0, as in --rate 5000.',
    })
  }
  const recordsPerSecond = rate ?? null
  return { from, to, missing, as, emit, replace, recordsPerSecond, onDataLoss, every: partSize(every) }
}

function partSize(every: string | undefined): PartSize | null {
  if (every === undefined) return null
  const count = /^\+(\d+)$/.exec(every.trim())?.[1]
  const size = count === undefined ? durationMs(every, '--every') : Number(count)
  if (Number.isSafeInteger(size) && size > 0)
    return count === undefined ? { kind: 'time', ms: size } : { kind: 'offsets', count: size }
  throw new TidemarkError('USAGE', `--every ${every} makes no parts`, {
    hint: "Write a span of time, as in '6h', or a count of offsets, as in '+100000'.",
  })
}
