/** A partition in the middle of a merge: changed in place as its head moves on. */
export interface MergeHead {
  /** Greatest event time of the partition from the plan's `from` up to and with its next record, epoch ms. */
  floor: number
  /** Position of the partition in the plan, whose partitions stand in the order of their places. */
  readonly order: number
}

/** True when the head of `left` comes before that of `right` in the merged order: `compareOrder` for a hot loop. */
export function comesBefore(left: MergeHead, right: MergeHead): boolean {
  return left.floor < right.floor || (left.floor === right.floor && left.order < right.order)
}
