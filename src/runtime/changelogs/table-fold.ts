import type { ByteString, Bytes } from '../../core/bytes.ts'
import type { Headers } from '../../core/headers.ts'

export interface FoldedUpdate {
  value: Bytes | null
  timestamp: number
  headers: Headers
  task: number
}

/** The last update of each key of a table sink within a slice, in the order in which the keys were first updated. */
export class TableFold {
  readonly #updates = new Map<ByteString, FoldedUpdate>()
  #bytes = 0

  /** About how many bytes the updates take once encoded. */
  get bytes(): number {
    return this.#bytes
  }

  put(key: ByteString, value: Bytes | null, timestamp: number, headers: Headers, task: number): void {
    const known = this.#updates.get(key)
    if (known === undefined) {
      this.#updates.set(key, { value, timestamp, headers, task })
      this.#bytes += key.length + (value?.length ?? 0) + RECORD_OVERHEAD_BYTES
      return
    }
    this.#bytes += (value?.length ?? 0) - (known.value?.length ?? 0)
    known.value = value
    known.timestamp = timestamp
    known.headers = headers
    known.task = task
  }

  /** Hands over the updates and starts anew. */
  drain(take: (key: ByteString, update: FoldedUpdate) => void): void {
    for (const [key, update] of this.#updates) take(key, update)
    this.#updates.clear()
    this.#bytes = 0
  }
}

const RECORD_OVERHEAD_BYTES = 12
