import type { AstNode } from '../ast.ts'
import { isNode, walk } from '../ast.ts'
import { LONG_FUNCTIONS } from '../layers.ts'
import type { SourceFile } from '../source-file.ts'
import type { Violation } from '../violation.ts'

export const MAX_FILE_LINES = 400
export const MAX_FUNCTION_LINES = 60
/** The median over the files of `src` stays below this. */
export const MEDIAN_FILE_LINES = 120

export function fileSizeViolations(files: readonly SourceFile[]): readonly Violation[] {
  return files
    .filter(({ lines }) => lines > MAX_FILE_LINES)
    .map(({ path, lines }) => ({ path, line: lines, message: `has ${lines} lines, ${MAX_FILE_LINES} are allowed` }))
}

export interface FunctionSize {
  readonly path: string
  readonly line: number
  /** Its name, or that of what it is assigned to. */
  readonly name: string
  readonly lines: number
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

/** The functions with more than 60 lines, with all that is inside them. */
export function longFunctions({ path, program, lineAt }: SourceFile): readonly FunctionSize[] {
  const found: FunctionSize[] = []
  walk(program, (node, ancestors) => {
    if (!FUNCTIONS.has(node.type)) return
    const line = lineAt(node.start)
    const lines = lineAt(node.end - 1) - line + 1
    if (lines > MAX_FUNCTION_LINES) found.push({ path, line, lines, name: nameOf(node, ancestors[0]) })
  })
  return found
}

function nameOf(node: AstNode, parent: AstNode | undefined): string {
  const named = [node.id, parent?.id, parent?.key].find((name) => isNode(name))
  return isNode(named) && typeof named.name === 'string' ? named.name : 'a function without a name'
}

export function functionSizeViolations(files: readonly SourceFile[], allowed = LONG_FUNCTIONS): readonly Violation[] {
  return files
    .flatMap(longFunctions)
    .filter(({ path, name }) => !allowed.some((exception) => exception.path === path && exception.name === name))
    .map(({ path, line, name, lines }) => ({
      path,
      line,
      message: `${name} has ${lines} lines, ${MAX_FUNCTION_LINES} are allowed`,
    }))
}

/** The middle of the numbers; the higher of two. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[Math.floor(numbers.length / 2)] ?? 0
}
