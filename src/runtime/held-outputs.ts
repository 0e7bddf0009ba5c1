import { isTidemarkError } from '../core/errors.ts'
import { partitionsOf } from '../core/offsets.ts'
import type { RunRow } from '../ports/history.ts'
import type { Delivery } from '../ports/outside.ts'
import type { Environment } from './environment.ts'

/** Outputs that readers of committed records do not see yet, because a transaction is open there. */
export interface HeldOutputs {
  /** By topic, offsets that readers wait for. */
  readonly topics: Readonly<Record<string, number>>
  /** The state directory that a run was last claimed from. */
  readonly instance: string
  /** Whether that is this one. */
  readonly here: boolean
  /** Epoch ms until when its run may be alive; 0 where it has ended. */
  readonly leaseUntil: number
  /** Its lease has run out, or it has ended: whoever began the transaction is dead, or not a run of this job. */
  readonly dead: boolean
}

/**
 * What holds back the readers of a job's outputs, or null where nothing does, or the log cannot tell. `rows` are runs of the
 * job, which say what it writes; `delivery` is the last one of its live generation. Without one nothing is asked of the log.
 */
export async function heldOutputs(
  { log, clock }: Pick<Environment, 'log' | 'clock'>,
  instance: string,
  rows: readonly RunRow[],
  delivery: Delivery | null,
): Promise<HeldOutputs | null> {
  if (delivery === null) return null
  try {
    const topics = await heldTopics(log, outputsOf(rows))
    if (Object.keys(topics).length === 0) return null
    const { leaseUntil, instance: holder } = delivery
    return { topics, instance: holder, here: holder === instance, leaseUntil, dead: leaseUntil <= clock.now() }
  } catch (error) {
    if (isTidemarkError(error)) return null // a log that is gone or asleep is a run's trouble, not this overview's
    throw error
  }
}

/** A sink's step has the name of its topic, up to the part that is made. */
function outputsOf(rows: readonly RunRow[]): readonly string[] {
  const steps = rows.flatMap(({ steps }) => Object.entries(steps))
  return [...new Set(steps.flatMap(([step, { outputs = 0 }]) => (outputs > 0 ? [step.split(':', 1)[0] ?? step] : [])))]
}

async function heldTopics(
  log: Environment['log'],
  names: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const known = names.length === 0 ? [] : await log.describe(names)
  const partitions = known.flatMap(({ name, partitions: count }) => partitionsOf(name, count))
  const held: Record<string, number> = {}
  for (const { topic, end, highWatermark } of await log.bounds(partitions, 'read_committed')) {
    if (highWatermark > end) held[topic] = (held[topic] ?? 0) + highWatermark - end
  }
  return held
}
