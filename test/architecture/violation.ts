/** One breach of a rule. */
export interface Violation {
  /** From the root of the repository. */
  readonly path: string
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** `src/core/bytes.ts:12 core may not import runtime`: what a failing test shows. */
export function formatViolations(violations: readonly Violation[]): readonly string[] {
  return violations.map(({ path, line, message }) => `${path}:${line} ${message}`)
}
