import { TidemarkError } from '../core/errors.ts'
import type { GlobalOptions } from './global-options.ts'

/** Throws USAGE where the log is not the embedded one: what `deed` names is then for the brokers' own tool. */
export function requireEmbedded({ log }: Pick<GlobalOptions, 'log'>, deed: string, tool: string): void {
  if (!log.startsWith('kafka:')) return
  throw new TidemarkError('USAGE', `topics of Kafka are not ${deed} from here`, {
    hint: `Use Kafka's own tool: ${tool}. This command is for the embedded log.`,
  })
}
