/** Generations that are thrown away are called so, and no other may be. */
const PREFIX = 'tmp.'

export function scratchName(purpose: string): string {
  return `${PREFIX}${purpose}`
}

export function isScratch(generation: string): boolean {
  return generation.startsWith(PREFIX)
}
