import type { Stores } from '../../operators/state.ts'
import type { RunDigests } from '../../ports/history.ts'
import type { Node } from '../../topology/nodes.ts'
import type { Emit } from '../processor-parts.ts'
import { Digest } from './digest.ts'
import { digestedStores } from './digested-stores.ts'
import { InputDigest } from './input-digest.ts'

/**
 * The digests of a run: of the records of each input partition, of what each sink was given in each task, and of the
 * updates of each store in each task, before they are folded. They go on over slices, attempts and plans.
 */
export class RunDigester {
  readonly #before: RunDigests
  readonly #inputs = new Map<string, InputDigest>()
  readonly #outputs = new Map<string, Digest>()
  readonly #stores = new Map<string, Digest>()
  /** By node id, then by task. */
  readonly #sinks: Digest[][] = []
  readonly #names: readonly string[]

  /** `before` is what the run has come to in committed slices. */
  constructor(nodes: readonly Node[], before: RunDigests = NOTHING) {
    this.#before = before
    this.#names = nodes.map(({ name }) => name)
  }

  /** The digest of an input partition, by its `topic/partition` key. */
  input(key: string): InputDigest {
    return made(this.#inputs, key, () => new InputDigest(this.#before.inputs[key]))
  }

  stores(stores: Stores): Stores {
    return digestedStores(stores, (store, task) => {
      const key = `${store}/${task}`
      return made(this.#stores, key, () => new Digest(this.#before.stores[key]))
    })
  }

  /** What takes what sinks send, each record digested before `emit` has it. */
  emit(emit: Emit): Emit {
    return (sink, task, key, value, timestamp, headers) => {
      const digest = this.#sinks[sink]?.[task] ?? this.#sink(sink, task)
      digest.number(timestamp)
      if (key === null) digest.number(NULL)
      else digest.text(key)
      if (value === null) digest.number(NULL)
      else if (typeof value === 'string') digest.text(value)
      else digest.bytes(value)
      if (headers.length > 0) {
        for (const [name, bytes] of headers) {
          digest.text(name)
          if (bytes !== null) digest.bytes(bytes)
        }
      }
      emit(sink, task, key, value, timestamp, headers)
    }
  }

  snapshot(): RunDigests {
    return {
      inputs: texts(this.#before.inputs, this.#inputs),
      outputs: texts(this.#before.outputs, this.#outputs),
      stores: texts(this.#before.stores, this.#stores),
    }
  }

  #sink(sink: number, task: number): Digest {
    const key = `${this.#names[sink] ?? sink}/${task}`
    const digest = made(this.#outputs, key, () => new Digest(this.#before.outputs[key]))
    const tasks = this.#sinks[sink] ?? []
    this.#sinks[sink] = tasks
    tasks[task] = digest
    return digest
  }
}

const NOTHING: RunDigests = { inputs: {}, outputs: {}, stores: {} }
/** No length of a text and no timestamp is that. */
const NULL = -3

const UNTOUCHED = new Digest().toString()

function made<T>(known: Map<string, T>, key: string, make: () => T): T {
  let found = known.get(key)
  if (found === undefined) {
    found = make()
    known.set(key, found)
  }
  return found
}

function texts(
  before: Readonly<Record<string, string>>,
  digests: ReadonlyMap<string, { toString(): string }>,
): Readonly<Record<string, string>> {
  const all = new Map(Object.entries(before))
  for (const [key, digest] of digests) all.set(key, digest.toString())
  for (const [key, text] of all) if (text === UNTOUCHED) all.delete(key)
  return Object.fromEntries([...all].sort(([left], [right]) => (left < right ? -1 : 1)))
}
