import type { Argv } from 'yargs'
import { TidemarkError } from '../core/errors.ts'
import type { Io } from './io.ts'
import { NO_PROGRESS } from './output/progress.ts'

export interface ScheduledRunOptions {
  readonly trigger: string
  readonly stopWithStdin: boolean
}

/** What a scheduler tells the runs that it starts. People have no use for it, and are not shown it. */
export function scheduledRunOptions<T>(yargs: Argv<T>): Argv<T & ScheduledRunOptions> {
  return yargs
    .option('trigger', { type: 'string', default: 'manual', hidden: true })
    .option('stop-with-stdin', { type: 'boolean', default: false, hidden: true }) as unknown as Argv<
    T & ScheduledRunOptions
  >
}

/** What a run stops for: signals, and for a run of a scheduler the end of its stdin. That comes whenever the scheduler goes. */
export function stopOf({ stopWithStdin }: ScheduledRunOptions, io: Io): AbortSignal {
  const signals = io.stopSignal()
  return stopWithStdin ? AbortSignal.any([signals, endOfStdin()]) : signals
}

/** A way to people without bars where a scheduler has several runs write to one terminal. */
export function barsOf({ stopWithStdin }: ScheduledRunOptions, io: Io): Pick<Io, 'progress'> {
  return stopWithStdin ? { progress: async () => NO_PROGRESS } : io
}

function endOfStdin(): AbortSignal {
  const controller = new AbortController()
  const end = () =>
    controller.abort(new TidemarkError('TERMINATED', 'stopped by its scheduler, or because that is gone'))
  process.stdin.on('end', end).on('error', end).resume()
  return controller.signal
}
