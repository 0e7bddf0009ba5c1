import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AstNode, isNode } from '../../architecture/ast.ts'
import { parseSource } from '../../architecture/source-file.ts'
import { ROOT } from './root.ts'

/** What a job file can call, read off the source: what a page about the DSL has to show. */
export interface DslSurface {
  /** `Class.method` for each public method of the classes, and `JobBuilder.name`. */
  readonly methods: readonly string[]
  /** The functions that the package exports, and its error. */
  readonly functions: readonly string[]
  /** What processors see: members of their context and of their stores, as `Interface.member`. */
  readonly processors: readonly string[]
}

/** Reads the surface from `src/index.ts` and the files that it names. */
export function dslSurface(): DslSurface {
  const methods: string[] = []
  const functions: string[] = []
  const processors: string[] = []
  for (const [name, path] of exportsOf('src/index.ts')) {
    const declaration = declarationOf(name, path)
    const members = membersOf(declaration).map((member) => `${name}.${member}`)
    if (name === 'JobBuilder' || (declaration.type === 'ClassDeclaration' && path.startsWith('src/dsl/'))) {
      methods.push(...members)
    } else if (path.startsWith('src/topology/processor/')) {
      processors.push(...members)
    } else if (declaration.type === 'TSDeclareFunction' || !declaration.type.startsWith('TS')) {
      functions.push(name)
    }
  }
  return { methods, functions, processors }
}

/** Each name that a barrel exports, with the file that it comes from. */
function exportsOf(barrel: string): readonly (readonly [name: string, path: string])[] {
  return bodyOf(barrel).flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration') return []
    const from = (statement.source as { readonly value: string }).value
    const names = (statement.specifiers as readonly AstNode[]).map(({ exported }) => nameOf(exported))
    return names.map((name) => [name, join('src', from)] as const)
  })
}

function declarationOf(name: string, path: string): AstNode {
  for (const { declaration } of bodyOf(path)) {
    if (isNode(declaration) && nameOf(declaration.id) === name) return declaration
  }
  throw new Error(`${path} does not declare ${name}`)
}

/** The members of a class or an interface that anybody may use. */
function membersOf({ body }: AstNode): readonly string[] {
  const members = isNode(body) && Array.isArray(body.body) ? (body.body as readonly AstNode[]) : []
  const names = members
    .filter(({ type, computed, kind }) => MEMBERS.includes(type) && computed !== true && kind !== 'constructor')
    .filter(({ key }) => isNode(key) && key.type === 'Identifier')
  return [...new Set(names.map(({ key }) => nameOf(key)))]
}

const MEMBERS = ['MethodDefinition', 'TSMethodSignature', 'TSPropertySignature']

function bodyOf(path: string): readonly AstNode[] {
  return parseSource(path, readFileSync(join(ROOT, path), 'utf8')).program.body as readonly AstNode[]
}

function nameOf(node: unknown): string {
  return isNode(node) ? String(node.name) : ''
}
