import type { AstNode } from '../ast.ts'
import { isNode, walk } from '../ast.ts'
import { type FreeName, freeNames } from '../free-names.ts'
import { layerOf } from '../layers.ts'
import type { SourceFile } from '../source-file.ts'
import type { Violation } from '../violation.ts'

/** Globals that reach the machine: the clock, timers, chance, the environment, the network, the screen. */
const BANNED = new Set([
  'EventSource',
  'WebSocket',
  'XMLHttpRequest',
  'console',
  'crypto',
  'fetch',
  'global',
  'globalThis',
  'performance',
  'process',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
])

/** Globals with one method that does; they are never passed on whole. */
const PARTLY_BANNED: Readonly<Record<string, string>> = { AbortSignal: 'timeout', Math: 'random' }

/** Methods whose answer depends on the machine's time zone or language. */
const LOCAL = new Set([
  'getDate',
  'getDay',
  'getFullYear',
  'getHours',
  'getMinutes',
  'getMonth',
  'getTimezoneOffset',
  'localeCompare',
  'setDate',
  'setFullYear',
  'setHours',
  'setMinutes',
  'setMonth',
  'toLocaleDateString',
  'toLocaleString',
  'toLocaleTimeString',
])

/** What Node's own modules offer that is chance, by module; the layer table says who may import the modules at all. */
const PURE_PARTS: Readonly<Record<string, readonly string[]>> = { 'node:crypto': ['createHash', 'hash', 'Hash'] }

/** A file outside the edges uses neither clock, timer, chance, environment, console nor I/O, nor the machine's time zone. */
export function globalViolations(files: readonly SourceFile[]): readonly Violation[] {
  return files.filter(({ path }) => layerOf(path)?.edge !== true).flatMap(violationsIn)
}

function violationsIn(file: SourceFile): readonly Violation[] {
  const violations: Violation[] = []
  const add = (node: { readonly start: number }, what: string) =>
    violations.push({ path: file.path, line: file.lineAt(node.start), message: `uses ${what}: only an edge may` })
  for (const free of freeNames(file.program)) {
    const what = machineUse(free)
    if (what !== undefined) add(free.node, what)
  }
  walk(file.program, (node) => {
    const property = node.property
    if (node.type !== 'MemberExpression' || !isNode(property) || !LOCAL.has(String(property.name))) return
    add(property, `${property.name} (the machine's time zone or language)`)
  })
  for (const { specifier, names, line } of file.imports) {
    const impure = names.filter((name) => PURE_PARTS[specifier]?.includes(name) === false)
    for (const name of impure)
      violations.push({ path: file.path, line, message: `uses ${name} of ${specifier}: only an edge may` })
  }
  return violations
}

function machineUse({ name, node, ancestors: [parent] }: FreeName): string | undefined {
  if (BANNED.has(name)) return name
  const member = parent?.type === 'MemberExpression' && parent.object === node ? memberName(parent) : undefined
  const impure = PARTLY_BANNED[name]
  if (impure !== undefined) return member === undefined || member === impure ? `${name}.${impure}` : undefined
  return name === 'Date' && parent !== undefined ? dateUse(parent, node, member) : undefined
}

/** `new Date(ms)`, `new Date(text)`, `Date.UTC`, `Date.parse` and `instanceof Date` are the same on every machine. */
function dateUse(parent: AstNode, node: AstNode, member: string | undefined): string | undefined {
  if (member !== undefined) return ['UTC', 'parse'].includes(member) ? undefined : `Date.${member}`
  if (parent.type === 'BinaryExpression') return undefined
  if (parent.type !== 'NewExpression' || parent.callee !== node) return 'Date'
  const count = (parent.arguments as readonly unknown[]).length
  return count === 1 ? undefined : `new Date with ${count} arguments`
}

function memberName(member: AstNode): string | undefined {
  const property = member.property
  return member.computed !== true && isNode(property) ? String(property.name) : undefined
}
