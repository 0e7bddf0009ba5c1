import type { Argv } from 'yargs'
import type { SwitchReport, SwitchRequest } from '../runtime/switching/switch-request.ts'
import { DATA_LOSS_OPTION, type DataLossOption } from './data-loss-option.ts'
import type { GlobalOptions } from './global-options.ts'
import { type JobOptions, jobOptions } from './job-options.ts'
import { countInWords, countOf } from './output/words.ts'
import { countOption } from './version-options.ts'

export interface SwitchOptions extends JobOptions, DataLossOption {
  readonly maxCatchUp: number
  readonly noCorrections: string[]
  readonly keep: number
  readonly takeOver: boolean
}

/** What a switch and a rollback may be told. */
export function switchOptions(yargs: Argv<GlobalOptions>): Argv<SwitchOptions> {
  return jobOptions(yargs)
    .option('max-catch-up', {
      type: 'number',
      default: 1_000_000,
      describe: 'records to replay at the most while no run is made',
    })
    .option('no-corrections', {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [],
      describe: 'a topic on which what was published stays as it is',
    })
    .option('keep', { type: 'number', default: 2, describe: 'generations to keep of those that were live' })
    .option('on-data-loss', DATA_LOSS_OPTION)
    .option('take-over', {
      type: 'boolean',
      default: false,
      describe: "end another state directory's lease",
    }) as unknown as Argv<SwitchOptions>
}

/** The part of the request that both have. */
export function switchRequest(
  options: SwitchOptions,
): Pick<SwitchRequest, 'maxCatchUp' | 'noCorrections' | 'keep' | 'takeOver' | 'onDataLoss'> {
  return {
    maxCatchUp: countOption('max-catch-up', options.maxCatchUp),
    noCorrections: options.noCorrections,
    keep: countOption('keep', options.keep),
    takeOver: options.takeOver,
    onDataLoss: options.onDataLoss,
  }
}

export function switchInWords(report: SwitchReport): string {
  const { job, how, generation, from, caughtUp, differing, corrected, corrections, removed, notices } = report
  const instead = from === null ? '' : ` in place of ${from}`
  const head =
    how === 'rollback' ? `${job} is back at ${generation}${instead}` : `${job} is ${generation} now${instead}`
  const lines = [`caught up with ${countOf(caughtUp, 'record')}`]
  if (differing !== null) lines.push(`${countInWords(differing)} rows differ from before`)
  if (corrected.length > 0) lines.push(`${countOf(corrections, 'correction')} published to ${corrected.join(', ')}`)
  if (removed.length > 0) lines.push(`no longer kept: ${removed.join(', ')}`)
  const back = how === 'switch' && from !== null ? ['', `go back with:  tidemark rollback ${job}`] : []
  return [head, '', ...lines, ...notices, ...back].join('\n')
}
