import { createRequire } from 'node:module'
import type { DDSketch } from '@datadog/sketches-js'
// @datadog/sketches-js requires it, and does not say so in its package.json.
import type {} from 'protobufjs'

const require = createRequire(import.meta.url)

/** How many numbers fell into each bucket, by the bucket's number, in order. */
export type Buckets = readonly (readonly [bucket: number, count: number])[]

/** Numbers as a sketch keeps them: zeros, and for the others how many fell into which bucket, by sign. */
export interface QuantileState {
  readonly zeros: number
  readonly positive: Buckets
  readonly negative: Buckets
}

/** The sketch without numbers. */
export const NO_NUMBERS: QuantileState = Object.freeze({ zeros: 0, positive: [], negative: [] })

/**
 * A DDSketch of numbers: quantiles within `accuracy` of the true number. Buckets and quantiles are the library's; the state
 * is ours, because that of the library is another after it was written and read, and this one is not.
 */
export class QuantileSketch {
  readonly #accuracy: number
  #empty: DDSketch | null = null

  constructor(accuracy: number) {
    this.#accuracy = accuracy
  }

  add(state: QuantileState, number: number): QuantileState {
    if (number === 0) return { ...state, zeros: state.zeros + 1 }
    const { mapping } = this.#library()
    if (number > 0) return { ...state, positive: counted(state.positive, mapping.key(number), 1) }
    return { ...state, negative: counted(state.negative, mapping.key(-number), 1) }
  }

  merge(one: QuantileState, two: QuantileState): QuantileState {
    const all = (into: Buckets, from: Buckets) => from.reduce((sum, [key, count]) => counted(sum, key, count), into)
    return {
      zeros: one.zeros + two.zeros,
      positive: all(one.positive, two.positive),
      negative: all(one.negative, two.negative),
    }
  }

  /** The numbers at these quantiles, each from 0 to 1; null where there are no numbers. */
  quantiles(state: QuantileState, at: readonly number[]): readonly number[] | null {
    const sketch = this.#make()
    for (const [key, count] of state.positive) sketch.store.add(key, count)
    for (const [key, count] of state.negative) sketch.negativeStore.add(key, count)
    sketch.zeroCount = state.zeros
    sketch.count = state.zeros + sketch.store.count + sketch.negativeStore.count
    return sketch.count === 0 ? null : at.map((quantile) => sketch.getValueAtQuantile(quantile))
  }

  #library(): DDSketch {
    this.#empty ??= this.#make()
    return this.#empty
  }

  /** Loaded by the first number: the library takes as long as a small job's whole start. */
  #make(): DDSketch {
    const library = require('@datadog/sketches-js') as typeof import('@datadog/sketches-js')
    return new library.DDSketch({ relativeAccuracy: this.#accuracy })
  }
}

function counted(buckets: Buckets, bucket: number, by: number): Buckets {
  const at = buckets.findIndex(([each]) => each >= bucket)
  const found = at < 0 ? undefined : buckets[at]
  if (found?.[0] === bucket) return buckets.with(at, [bucket, found[1] + by])
  return at < 0 ? [...buckets, [bucket, by]] : buckets.toSpliced(at, 0, [bucket, by])
}
