import { TidemarkError } from '../core/errors.ts'
import { hashPlan } from './plan-hash.ts'
import type { Plan } from './plan-types.ts'

/**
 * Reads a plan that was kept as JSON: in the checkpoint, or in a run's row. Throws STATE_DAMAGED for a text that is not a
 * plan's, or whose hash does not fit it, and STATE_INCOMPATIBLE for another version.
 */
export function parsePlan(text: string): Plan {
  const plan = parse(text)
  if (plan.version !== 1) {
    throw new TidemarkError('STATE_INCOMPATIBLE', `a plan of version ${JSON.stringify(plan.version)} cannot be read`, {
      hint: 'It was made by another version of Tidemark: use that one, or drop the plan (tidemark checkpoint set).',
    })
  }
  if (plan.hash !== hashPlan(plan)) throw damaged('its hash does not fit')
  return plan
}

function parse(text: string): Plan {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw damaged('it is not JSON', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged('it is not an object')
  // The hash covers every field: with the right one this is the plan that was kept.
  return value as Plan
}

function damaged(why: string, cause?: unknown): TidemarkError {
  return new TidemarkError('STATE_DAMAGED', `a stored plan cannot be used: ${why}`, {
    hint: 'Restore a backup of the state (tidemark state restore), or drop the plan (tidemark checkpoint set).',
    cause,
  })
}
