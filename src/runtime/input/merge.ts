import { comesBefore } from '../../planner/merge-head.ts'
import type { PartitionInput } from './partition-input.ts'

/**
 * The merged order over partitions: a heap of those that have a head, least first. Within one plan the order of
 * partitions is tables before streams, topic rank, partition; within a partition it is offset order.
 */
export class Merge {
  readonly #heap: PartitionInput[] = []

  get size(): number {
    return this.#heap.length
  }

  /** The partition whose head is next. Call only where `size` is above 0. */
  get first(): PartitionInput {
    return this.#heap[0] as PartitionInput
  }

  add(input: PartitionInput): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(input)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!comesBefore(input, heap[parent] as PartitionInput)) break
      heap[at] = heap[parent] as PartitionInput
      at = parent
    }
    heap[at] = input
  }

  /** To be called when the first partition's head has changed. */
  firstChanged(): void {
    if (this.#heap.length > 1) this.#sink(this.first)
  }

  /** Takes the first partition out. */
  removeFirst(): void {
    const last = this.#heap.pop() as PartitionInput
    if (this.#heap.length > 0) this.#sink(last)
  }

  #sink(input: PartitionInput): void {
    const heap = this.#heap
    const { length } = heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= length) break
      if (child + 1 < length && comesBefore(heap[child + 1] as PartitionInput, heap[child] as PartitionInput)) child++
      if (!comesBefore(heap[child] as PartitionInput, input)) break
      heap[at] = heap[child] as PartitionInput
      at = child
    }
    heap[at] = input
  }
}
