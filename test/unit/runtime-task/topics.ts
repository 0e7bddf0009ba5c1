import { json, string, topic } from 'tidemark'

/** Topics with text keys and JSON values, where both may be missing. */
export function open<V>(name: string) {
  return topic(name, { key: string(), value: json<V>(), nullKey: true, nullValue: true })
}

export const numbers = open<number>('numbers')
export const others = open<number>('others')
export const out = topic('out', { key: string(), value: json<unknown>(), nullKey: true, nullValue: true })
export const anyOut = topic('out', { key: json<unknown>(), value: json<unknown>(), nullKey: true, nullValue: true })
