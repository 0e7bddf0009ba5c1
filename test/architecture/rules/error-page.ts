/** A code as the page of errors has it. */
export interface ErrorSection {
  readonly code: string
  /** As the first line under the heading says. Undefined where it says nothing of the kind. */
  readonly exit: number | undefined
  readonly retryable: boolean
  /** True where the text says what it means, what is kept and what to do. */
  readonly whole: boolean
}

/** The sections of the page of errors: `## CODE`, the exit status, the meaning, **Kept** and **Do**. */
export function errorSections(page: string): readonly ErrorSection[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [code = '', first = '', ...rest] = section.split(/\n+/)
      const status = /^Exit status (\d+)(, retryable)?\.$/.exec(first)
      const [meaning = '', kept, does] = rest.join('\n').split(/^\*\*(?:Kept|Do):\*\*/m)
      return {
        code: code.trim(),
        exit: status === null ? undefined : Number(status[1]),
        retryable: status?.[2] !== undefined,
        whole: [meaning, kept, does].every((part) => part !== undefined && part.trim() !== ''),
      }
    })
}
