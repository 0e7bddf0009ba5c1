import type { PrintNode } from '../topology/nodes.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Prints each record as a line, `[label]: key, value`, to wherever the run prints. Nothing follows. */
export function print(node: PrintNode, step: Step): Operator {
  const { context } = step
  const { label } = node
  return { process: (key, value) => context.print(`[${label}]: ${shown(key)}, ${shown(value)}`) }
}

/** Texts as they are, bytes as hex, anything else as JSON, with bigints as their digits. */
function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  if (typeof value === 'bigint') return String(value)
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? String(value)
}
