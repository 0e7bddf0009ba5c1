import { type AstNode, isNode } from '../ast.ts'
import type { SourceFile } from '../source-file.ts'
import type { Violation } from '../violation.ts'

/** A file has one exported concept. What of that can be counted: it exports one class at most. */
export function conceptViolations(files: readonly SourceFile[]): readonly Violation[] {
  return files.flatMap(({ path, program, lineAt }) =>
    exportedClasses(program)
      .slice(1)
      .map((node) => ({ path, line: lineAt(node.start), message: 'exports a second class' })),
  )
}

function exportedClasses(program: AstNode): readonly AstNode[] {
  return (program.body as readonly AstNode[]).filter((statement) => {
    const declaration = statement.declaration
    return isNode(declaration) && declaration.type === 'ClassDeclaration'
  })
}
