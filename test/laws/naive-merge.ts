import { comparePlaces, type OrderKey } from '../../src/planner/merge-order.ts'

/** A partition's records as their event times: the first one has the offset `first`. */
export interface TimedPartition {
  readonly role: 'table' | 'stream'
  readonly rank: number
  readonly partition: number
  readonly first: number
  readonly times: readonly number[]
}

/** The definition: again and again the partition whose next record has the least event time; tables, rank, partition. */
export function mergeByNextTime(partitions: readonly TimedPartition[]): readonly string[] {
  const heads = partitions.map((partition) => ({ partition, taken: 0 }))
  const merged: string[] = []
  for (;;) {
    const open = heads.filter(({ partition, taken }) => taken < partition.times.length)
    const timeOf = ({ partition, taken }: (typeof heads)[number]) => partition.times[taken] ?? 0
    const [next] = open.sort(
      (left, right) => timeOf(left) - timeOf(right) || comparePlaces(left.partition, right.partition),
    )
    if (next === undefined) return merged
    merged.push(nameOf({ ...next.partition, offset: next.partition.first + next.taken++ }))
  }
}

/** The key of every record, with floors that begin at the partition's first one. */
export function orderKeys(partitions: readonly TimedPartition[]): readonly OrderKey[] {
  return partitions.flatMap(({ role, rank, partition, first, times }) => {
    let floor = Number.NEGATIVE_INFINITY
    return times.map((time, index) => {
      floor = Math.max(floor, time)
      return { floor, role, rank, partition, offset: first + index }
    })
  })
}

export function nameOf({ role, rank, partition, offset }: Omit<OrderKey, 'floor'>): string {
  return `${role} ${rank}/${partition}@${offset}`
}
