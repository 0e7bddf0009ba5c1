import { type AstNode, childrenOf, isNode } from './ast.ts'

/** A use of a name that the file does not declare around it: a global. */
export interface FreeName {
  readonly name: string
  readonly node: AstNode
  /** Nearest first. */
  readonly ancestors: readonly AstNode[]
}

/** TypeScript's nodes that exist at run time; all others are types and name no value. */
const VALUES = new Set([
  'TSAsExpression',
  'TSEnumBody',
  'TSEnumDeclaration',
  'TSEnumMember',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSParameterProperty',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
])

/** Properties whose names are not looked up in a scope, unless they are computed. */
const PLAIN_NAMES = new Set(['key', 'property', 'label', 'exported', 'imported', 'meta'])

/** The uses of globals in a program. Declarations count from the start of their block on. */
export function freeNames(program: AstNode): readonly FreeName[] {
  const found: FreeName[] = []
  const visit = (node: AstNode, scopes: readonly ReadonlySet<string>[], ancestors: readonly AstNode[]): void => {
    if (isGoneAtRunTime(node) || isNode(node.source)) return
    if (node.type === 'Identifier') {
      const name = String(node.name)
      if (!scopes.some((scope) => scope.has(name))) found.push({ name, node, ancestors })
      return
    }
    const inner = [new Set(declaredBy(node)), ...scopes]
    const below = [node, ...ancestors]
    for (const [property, child] of childrenOf(node)) {
      if (PLAIN_NAMES.has(property) && node.computed !== true) continue
      visit(child, inner, below)
    }
  }
  visit(program, [], [])
  return found
}

function isGoneAtRunTime(node: AstNode): boolean {
  return node.declare === true || (node.type.startsWith('TS') && !VALUES.has(node.type))
}

/** The names that hold inside a node: of a block's declarations, a function's parameters, a loop's variables. */
function declaredBy(node: AstNode): readonly string[] {
  const nodes = childrenOf(node)
  const own = isNode(node.id) && node.type.endsWith('Expression') ? boundBy(node.id) : []
  const bound = nodes.flatMap(([property, child]) => {
    if (property === 'params' || property === 'param') return boundBy(child)
    return ['body', 'init', 'left', 'consequent', 'cases'].includes(property) ? declaredIn(child) : []
  })
  return [...own, ...bound]
}

function declaredIn(node: AstNode): readonly string[] {
  if (node.declare === true) return []
  if (node.type === 'SwitchCase') return childrenOf(node).flatMap(([, child]) => declaredIn(child))
  if (node.type === 'ImportDeclaration') return nodesIn(node.specifiers).flatMap(({ local }) => boundBy(local))
  if (node.type === 'VariableDeclaration') return nodesIn(node.declarations).flatMap(({ id }) => boundBy(id))
  if (/^(Function|Class|TSEnum)Declaration$/.test(node.type)) return boundBy(node.id)
  return isNode(node.declaration) ? declaredIn(node.declaration) : []
}

/** The names in a pattern: `a`, `{ a, b: c }`, `[a, ...b]`, `a = 1`. */
function boundBy(pattern: unknown): readonly string[] {
  if (!isNode(pattern)) return []
  if (pattern.type === 'Identifier') return [String(pattern.name)]
  const parts = ['properties', 'elements', 'value', 'left', 'argument', 'parameter'].map(
    (property) => pattern[property],
  )
  return parts.flatMap((part) => (Array.isArray(part) ? part : [part])).flatMap(boundBy)
}

function nodesIn(value: unknown): readonly AstNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}
