import { TidemarkError } from '../../core/errors.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
const LONGEST = 200

/** Throws USAGE unless a job or a generation may be called that: names are files, on every system. */
export function assertStateName(what: 'job' | 'generation', name: string): void {
  const known = what === 'generation' && name.toLowerCase() === 'job'
  if (NAME.test(name) && name.length <= LONGEST && !known) return
  throw new TidemarkError('USAGE', `${what} ${JSON.stringify(name)} cannot be called that`, {
    hint: known
      ? 'A file called job is there already: take another name.'
      : `Begin with a letter or a digit, go on with letters, digits, dots, dashes and underscores, ${LONGEST} at most.`,
  })
}
