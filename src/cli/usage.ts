import { TidemarkError } from '../core/errors.ts'

/** yargs' complaint about the arguments, as the error that a person reads. `usage`: how the verb is called. */
export function misused(complaint: string, usage: string): TidemarkError {
  const verb = usage.replace(/ [<[].*/, '')
  const help = `See ${verb} --help`
  if (complaint.startsWith('Not enough non-option arguments')) {
    return new TidemarkError('USAGE', 'an argument is missing', { hint: `Call it as: ${usage}. ${help}` })
  }
  const bare = /^Not enough arguments following: (\S+)/.exec(complaint)?.[1]
  if (bare !== undefined)
    return new TidemarkError('USAGE', `--${bare} has no value`, { hint: `Write --${bare}=VALUE. ${help}` })
  // An address that is out of place may hold a password.
  const lines = complaint
    .replace(/:\/\/.*$/s, '://…')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const [summary = '', ...more] = lines
  const message = summary.startsWith('Did you mean') ? 'there is no such command' : uncapitalized(summary)
  const advice = message === uncapitalized(summary) ? more : [summary]
  return new TidemarkError('USAGE', message, { hint: [...advice, help].join(' ') })
}

/**
 * Refuses what yargs lets pass: an option given twice where it takes one value (yargs makes a list of it), one that
 * needs a value and has none, a number that is none. A check for yargs: returns true or throws USAGE.
 */
export function checkOptions(args: Record<string, unknown>, options: Record<string, unknown>): true {
  // yargs gives every option under its camel-case name too.
  const lists = names(options.array)
  const numbers = names(options.number)
  for (const [name, value] of Object.entries(args)) {
    if (name === '_' || name === '$0') continue
    const refuse = (problem: string, hint: string) => new TidemarkError('USAGE', `--${name} ${problem}`, { hint })
    if (Array.isArray(value) && !lists.has(name) && !lists.has(kebabCase(name)))
      throw refuse('is given twice', 'Give it once.')
    if (value === '') throw refuse('has no value', `Write --${name}=VALUE.`)
    if (numbers.has(name) && !Number.isFinite(value)) throw refuse('is not a number', `Write --${name}=NUMBER.`)
  }
  return true
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

function names(list: unknown): ReadonlySet<unknown> {
  return new Set(Array.isArray(list) ? list : [])
}

function uncapitalized(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
