import type { SourceFile } from '../source-file.ts'
import type { Violation } from '../violation.ts'

/**
 * No file is needed, directly or not, to load itself. Types alone may refer to each other (a stream becomes a table, a
 * table a stream): they are gone when files are loaded. Between folders the layer table rules that out too.
 */
export function cycleViolations(files: readonly SourceFile[]): readonly Violation[] {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const violations: Violation[] = []
  const done = new Set<string>()
  const visit = (file: SourceFile, trail: readonly string[]): void => {
    if (done.has(file.path)) return
    const here = [...trail, file.path]
    for (const { target, typeOnly, line } of file.imports) {
      if (target === undefined || typeOnly) continue
      const first = here.indexOf(target)
      const next = byPath.get(target)
      if (first !== -1) violations.push({ path: file.path, line, message: circle([...here.slice(first), target]) })
      else if (next !== undefined) visit(next, here)
    }
    done.add(file.path)
  }
  for (const file of files) visit(file, [])
  return violations
}

function circle(paths: readonly string[]): string {
  return `imports in a circle: ${paths.join(' → ')}`
}
