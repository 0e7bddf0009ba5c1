/** What is fixed about a partition's place in the merged order. */
export interface PartitionPlace {
  readonly role: 'table' | 'stream'
  /** Position of the topic in the topology, from 0. */
  readonly rank: number
  readonly partition: number
}

/**
 * A record's place in a job's merged order. `floor` is the greatest event time of its partition from the plan's `from`
 * up to and with the record, epoch ms.
 */
export interface OrderKey extends PartitionPlace {
  readonly floor: number
  readonly offset: number
}

/**
 * The merged order of a job: by floor, then tables before streams, topic rank, partition, offset. Sorting by it equals
 * taking, again and again, the partition whose next record has the least event time (with the same ties), since what is
 * behind a record in its partition cannot come before it.
 */
export function compareOrder(left: OrderKey, right: OrderKey): number {
  return left.floor - right.floor || comparePlaces(left, right) || left.offset - right.offset
}

/** Tables before streams, then topic rank, then partition: the order of a plan's partitions. */
export function comparePlaces(left: PartitionPlace, right: PartitionPlace): number {
  if (left.role !== right.role) return left.role === 'table' ? -1 : 1
  return left.rank - right.rank || left.partition - right.partition
}
