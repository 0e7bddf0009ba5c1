import { counted } from '../../core/counted.ts'
import { TidemarkError } from '../../core/errors.ts'

const MAX_PARTITIONS = 10_000

/** Throws USAGE for a number of partitions that a topic cannot have. `current`: what it has; there are never fewer. */
export function checkPartitionCount(topic: string, partitions: number, current = 1): void {
  const at = { topic }
  if (!Number.isSafeInteger(partitions) || partitions < 1 || partitions > MAX_PARTITIONS) {
    const hint = `A topic has between 1 and ${MAX_PARTITIONS} partitions.`
    throw new TidemarkError('USAGE', `${topic} cannot have ${partitions} partitions`, { at, hint })
  }
  if (partitions >= current) return
  throw new TidemarkError('USAGE', `${topic} has ${counted(current, 'partition')} and cannot have fewer`, {
    at,
    hint: 'Partitions are only ever added. To have fewer, make another topic and copy the records.',
  })
}
