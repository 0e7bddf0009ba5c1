import type { Violation } from '../violation.ts'
import type { Page } from './decisions.ts'

/** Folders where people keep their work: a path that begins with one is of one machine. */
const HOMES = /(?<![\w.~/-])\/(?:home|mnt|private|root|tmp|Users|var\/folders|work|workspace)\/[\w.-]+/g

/** Nothing in a text is an absolute path of somebody's machine. */
export function machinePathViolations(pages: readonly Page[]): readonly Violation[] {
  return pages.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(HOMES)].map(([found]) => ({ path, line: index + 1, message: `names ${found}` })),
      ),
  )
}

/** A lockfile pins packages by version and hash, and leaves to the reader's settings where they come from. */
export function lockfileViolations({ path, text }: Page): readonly Violation[] {
  return text.split('\n').flatMap((line, index) => {
    const resolved = /"resolved": "(?!file:|\.)[^"]*"/.exec(line)
    return resolved === null ? [] : [{ path, line: index + 1, message: `says where to fetch from: ${resolved[0]}` }]
  })
}
