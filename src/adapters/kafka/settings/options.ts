import { invalidSettings } from './invalid-settings.ts'

/** What may be set of a connection: in the address behind `?`, in the environment, or in a file. */
export const OPTIONS = [
  'client-id',
  'tls',
  'ca',
  'cert',
  'key',
  'sasl',
  'username',
  'password',
  'connect-timeout',
  'request-timeout',
  'retry-for',
] as const

export type OptionName = (typeof OPTIONS)[number]

/** Texts by name, each with where it comes from, for messages. */
export type Options = ReadonlyMap<OptionName, { readonly text: string; readonly source: string }>

/** Names a file of settings; it is no setting itself. */
export const CONFIG = 'config'

/** `TIDEMARK_KAFKA_CLIENT_ID` for `client-id`. */
export function variableOf(name: OptionName | typeof CONFIG): string {
  return `TIDEMARK_KAFKA_${name.replaceAll('-', '_').toUpperCase()}`
}

/**
 * The first to name an option wins: the address, then the environment, then the file. A name that is unknown may be a piece of
 * a password, as with `&` in it: it is told by its number, never repeated.
 */
export function mergedOptions(
  query: URLSearchParams,
  env: Readonly<Record<string, string | undefined>>,
  readText: (path: string) => string,
): Options {
  const options = new Map<OptionName, { text: string; source: string }>()
  const add = (name: OptionName, text: string, source: string) => {
    if (!options.has(name)) options.set(name, { text, source })
  }
  for (const [index, [name, text]] of [...query].entries()) {
    if (isOption(name)) add(name, text, `${JSON.stringify(name)} in the address`)
    else if (name !== CONFIG) throw unknownSetting(index, 'the address', ' In a value, & is written %26, # %23, + %2B.')
  }
  for (const name of OPTIONS) {
    const text = env[variableOf(name)]
    if (text) add(name, text, variableOf(name))
  }
  const path = query.get(CONFIG) ?? env[variableOf(CONFIG)]
  if (path) {
    for (const [name, text] of configFile(path, readText)) add(name, text, `${JSON.stringify(name)} in ${path}`)
  }
  return options
}

function unknownSetting(index: number, where: string, advice = '') {
  return invalidSettings(
    `setting ${index + 1} in ${where} has an unknown name`,
    `Settings: ${OPTIONS.join(', ')}.${advice}`,
  )
}

function isOption(name: string): name is OptionName {
  return (OPTIONS as readonly string[]).includes(name)
}

/** A JSON object of texts, numbers and booleans. What it holds is never repeated in a message: it has secrets. */
function configFile(path: string, readText: (path: string) => string): (readonly [OptionName, string])[] {
  const text = readText(path)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalidSettings(`${path} is not JSON`, 'Write the settings as one JSON object: {"sasl": "plain", …}.')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw invalidSettings(
      `${path} is not a JSON object`,
      'Write the settings as one JSON object: {"sasl": "plain", …}.',
    )
  }
  return Object.entries(parsed).map(([name, value], index) => {
    if (!isOption(name)) throw unknownSetting(index, path)
    if (typeof value === 'object') throw invalidSettings(`${JSON.stringify(name)} in ${path} is not a plain value`)
    return [name, String(value)]
  })
}
