import { createHash } from 'node:crypto'
import { canonicalJson } from './canonical-json.ts'
import type { Plan } from './plan-types.ts'

/** SHA-256 (hex) of a plan's canonical JSON without its hash. */
export function hashPlan(plan: Omit<Plan, 'hash'> & { readonly hash?: string }): string {
  const { hash: _, ...rest } = plan
  return createHash('sha256').update(canonicalJson(rest)).digest('hex')
}
