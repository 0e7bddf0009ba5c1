import { TidemarkError } from '../../core/errors.ts'

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
const LONGEST = 200

/** What no generation may be called. */
const TAKEN: ReadonlyMap<string, string> = new Map([
  ['job', 'A file called job is there already'],
  ['live', 'The commit record of the live generation is called live, whichever that is'],
])

/** Throws USAGE unless a job or a generation may be called that: names are files, on every system. */
export function assertStateName(what: 'job' | 'generation', name: string): void {
  const taken = what === 'generation' ? TAKEN.get(name.toLowerCase()) : undefined
  if (NAME.test(name) && name.length <= LONGEST && taken === undefined) return
  throw new TidemarkError('USAGE', `${what} ${JSON.stringify(name)} cannot be called that`, {
    hint: taken
      ? `${taken}: take another name.`
      : `Begin with a letter or a digit, go on with letters, digits, dots, dashes and underscores, ${LONGEST} at most.`,
  })
}
