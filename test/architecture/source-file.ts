import { posix } from 'node:path'
import { parseSync } from 'vite'
import { type AstNode, isNode, walk } from './ast.ts'

/** An import, a re-export, an `import()` or a `require()`. */
export interface Import {
  /** As written. Empty where it is computed. */
  readonly specifier: string
  /** For a relative specifier: the file it names, from the root of the repository. */
  readonly target: string | undefined
  /** Erased before running: `import type`. */
  readonly typeOnly: boolean
  /** What is taken by name: `readFile`, `default`, or `*`. */
  readonly names: readonly string[]
  readonly line: number
}

/** A file of the repository, parsed. */
export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string
  readonly lines: number
  readonly program: AstNode
  readonly imports: readonly Import[]
  /** Line, from 1, of a position in the text. */
  lineAt(position: number): number
}

/** Parses TypeScript or JavaScript. Throws where the text is neither. */
export function parseSource(path: string, text: string): SourceFile {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const starts = [...text.matchAll(/^/gm)].map((match) => match.index)
  const lineAt = (position: number) => starts.findLastIndex((start) => start <= position) + 1
  const root = program as unknown as AstNode
  return { path, lines: countLines(text), program: root, imports: importsOf(path, root, lineAt), lineAt }
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

function importsOf(path: string, program: AstNode, lineAt: (position: number) => number): readonly Import[] {
  const imports: Import[] = []
  walk(program, (node) => {
    const source = isRequire(node) ? node.arguments[0] : node.source
    if (!isNode(source)) return
    const specifier = typeof source.value === 'string' ? source.value : ''
    const specifiers = (node.specifiers ?? []) as readonly AstNode[]
    imports.push({
      specifier,
      target: specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : undefined,
      typeOnly: node.importKind === 'type' || node.exportKind === 'type' || node.type === 'TSImportType',
      names: specifiers.length === 0 ? ['*'] : specifiers.map(importedName),
      line: lineAt(node.start),
    })
  })
  return imports
}

function isRequire(node: AstNode): node is AstNode & { readonly arguments: readonly unknown[] } {
  return node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'require'
}

function importedName(specifier: AstNode): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default'
  const name = specifier.imported ?? (specifier.type === 'ExportSpecifier' ? specifier.local : undefined)
  return isNode(name) && typeof name.name === 'string' ? name.name : '*'
}
