import type { Violation } from '../violation.ts'

export interface Page {
  /** From the root of the repository. */
  readonly path: string
  readonly text: string
}

const HEADINGS = ['## Context', '## Choice', '## Consequence'] as const

/** A page, as printed. */
export const MAX_PAGE_LINES = 80

/** Each decision is `NNNN-title.md` with a number of its own, a title, and context, choice and consequence in this order. */
export function decisionViolations(pages: readonly Page[]): readonly Violation[] {
  const numbers = pages.map(({ path }) => numberOf(path))
  return pages.flatMap(({ path, text }, index) => {
    const number = numbers[index]
    const lines = text.trimEnd().split('\n')
    const headings = lines.filter((line) => line.startsWith('## '))
    const messages = [
      number === undefined ? 'is not named NNNN-title.md' : undefined,
      number !== undefined && numbers.indexOf(number) !== index ? `has a number that is taken: ${number}` : undefined,
      /^# \S/.test(lines[0] ?? '') ? undefined : 'has no title in its first line',
      headings.join() === HEADINGS.join()
        ? undefined
        : `has the headings ${headings.join(', ')}, not ${HEADINGS.join(', ')}`,
      lines.length > MAX_PAGE_LINES ? `has ${lines.length} lines, ${MAX_PAGE_LINES} are a page` : undefined,
    ]
    return messages.filter((message) => message !== undefined).map((message) => ({ path, line: 1, message }))
  })
}

function numberOf(path: string): string | undefined {
  return /\/(\d{4})-[a-z0-9-]+\.md$/.exec(path)?.[1]
}
