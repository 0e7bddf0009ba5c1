import type { StoreRef } from '../nodes.ts'
import type { TopicSpec } from '../topic-spec.ts'

/** The store that a table has where it needs one and the user named none. */
export function storeOf({ name, key, value }: TopicSpec): StoreRef {
  return { name, key, value }
}
