import { json, topic } from 'tidemark'

/** A topic as the vectors have it: JSON keys and values, and either may be missing. */
export function vectorTopic<V>(name: string) {
  return topic(name, { key: json<string>(), value: json<V>(), nullKey: true, nullValue: true })
}

export interface Colored {
  readonly color: string | null
  readonly n: number
}

export interface Linked {
  readonly fk: string | null
  readonly n: number
}

export const text = json<string>()
export const int = json<number>()

export const ints = vectorTopic<number>('in')
export const colored = vectorTopic<Colored>('in')
export const names = vectorTopic<string>('in')
export const left = vectorTopic<number>('left')
export const right = vectorTopic<number>('right')
export const third = vectorTopic<number>('third')
export const linked = vectorTopic<Linked>('left')

/** A topic that takes any key and value. */
export function anyTopic(name: string) {
  return topic(name, { key: json<unknown>(), value: json<unknown>(), nullKey: true, nullValue: true })
}

export const out = anyTopic('out')

/** 0 for null. */
export const n = (value: number | null): number => value ?? 0
