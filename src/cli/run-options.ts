import type { Argv } from 'yargs'
import type { RunRequest } from '../runtime/run-request.ts'
import { DATA_LOSS_OPTION, type DataLossOption } from './data-loss-option.ts'
import type { GlobalOptions } from './global-options.ts'
import { type JobOptions, jobOptions } from './job-options.ts'

/** What may be said of state and input, whatever the run. */
export interface StateOptions extends DataLossOption {
  readonly init: boolean
  readonly takeOver: boolean
  readonly acceptTopic: string[]
  readonly skip: string[]
}

export interface RunOptions extends JobOptions, StateOptions {
  readonly from: string | undefined
  readonly to: string | undefined
  readonly as: string | undefined
  readonly emit: boolean
  readonly replace: boolean
  readonly closeWindows: boolean
  readonly advanceTime: boolean
}

/** What a run and its plan may be told. */
export function runOptions(yargs: Argv<GlobalOptions>): Argv<RunOptions> {
  return stateOptions(jobOptions(yargs))
    .option('from', {
      type: 'string',
      requiresArg: true,
      describe: 'start of a range of its own: earliest, 120, topic/0=12, 2013-01-15T00:00Z, -6h',
    })
    .option('to', { type: 'string', requiresArg: true, describe: 'end: latest (default), 120, +10000, a time, ...' })
    .option('as', { type: 'string', requiresArg: true, describe: 'name of the range; by default made of its bounds' })
    .option('emit', { type: 'boolean', default: false, describe: 'a range publishes its results' })
    .option('replace', { type: 'boolean', default: false, describe: 'drop what a range of this name has first' })
    .option('close-windows', { type: 'boolean', default: false, describe: 'close every open window at the end' })
    .option('advance-time', {
      type: 'boolean',
      default: false,
      describe: 'move stream time to the end, which is a time',
    }) as unknown as Argv<RunOptions>
}

export function stateOptions<T>(yargs: Argv<T>): Argv<T & StateOptions> {
  return yargs
    .option('init', { type: 'boolean', default: false, describe: 'start empty although the state is lost' })
    .option('take-over', { type: 'boolean', default: false, describe: "end another state directory's lease" })
    .option('on-data-loss', DATA_LOSS_OPTION)
    .option('accept-topic', {
      type: 'string',
      array: true,
      default: [],
      describe: 'a topic that was made again under its name',
    })
    .option('skip', {
      type: 'string',
      array: true,
      default: [],
      describe: 'leave one record out: TOPIC/PARTITION@OFFSET',
    }) as unknown as Argv<T & StateOptions>
}

/** The request that the options make. */
export function runRequest(options: RunOptions): RunRequest {
  const { from, to, as, emit, replace, init, takeOver, closeWindows, advanceTime } = options
  return {
    trigger: 'manual',
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(as === undefined ? {} : { as }),
    emit,
    replace,
    init,
    takeOver,
    onDataLoss: options.onDataLoss,
    acceptTopics: options.acceptTopic,
    skip: options.skip,
    closeWindows,
    advanceTime,
  }
}
