import type { Argv } from 'yargs'
import { TidemarkError } from '../../core/errors.ts'
import type { GlobalOptions } from '../global-options.ts'

/** The option that sets what Kafka calls a topic's configuration. */
export function settingsOption<T extends GlobalOptions>(yargs: Argv<T>) {
  return yargs.option('set', {
    type: 'string',
    array: true,
    default: [] as string[],
    requiresArg: true,
    describe: "a setting by Kafka's name: cleanup.policy=compact",
  })
}

/** `name=value` texts as settings. Throws USAGE. */
export function parseSettings(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=')
      if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)]
      throw new TidemarkError('USAGE', `--set ${JSON.stringify(text)} is not NAME=VALUE`, {
        hint: 'For instance --set cleanup.policy=compact',
      })
    }),
  )
}
