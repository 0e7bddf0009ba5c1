import type { ByteString } from '../../core/bytes.ts'

/** Of the first layer, and how many times larger each next one is. */
const FIRST_KEYS = 100_000
const GROWTH = 4
/** 100,000, 400,000, 1,600,000 and 6,400,000 keys: 11 MB. */
const MOST_LAYERS = 4
const BITS_A_KEY = 10
const WORDS_A_BLOCK = 8
/** Odd numbers that spread a hash over the words of a block, as Parquet's block filters do. */
const SALTS = [0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31]

interface Layer {
  readonly words: Int32Array
  readonly blocks: number
  readonly keys: number
}

/**
 * Remembers which rows were written, in a bounded Bloom filter: one that was written is always known, and one of a hundred
 * that was not is taken for one. Where there were too many to remember, every row is.
 */
export class WrittenRows {
  readonly #layers: Layer[] = []
  #inLast = 0
  #full = false

  add(key: ByteString, time: number): void {
    if (this.#full) return
    let last = this.#layers.at(-1)
    if (last === undefined || this.#inLast >= last.keys) {
      last = this.#grow()
      if (last === undefined) return
    }
    const hash = hashOf(key, time)
    const { words } = last
    const block = blockOf(last, hash)
    const bits = mixed(hash)
    for (let word = 0; word < WORDS_A_BLOCK; word++)
      words[block + word] = (words[block + word] as number) | bit(bits, word)
    this.#inLast++
  }

  /** False only where the row was not written. */
  mayHave(key: ByteString, time: number): boolean {
    if (this.#full) return true
    const layers = this.#layers
    if (layers.length === 0) return false
    const hash = hashOf(key, time)
    const bits = mixed(hash)
    for (let at = 0; at < layers.length; at++) if (isIn(layers[at] as Layer, hash, bits)) return true
    return false
  }

  #grow(): Layer | undefined {
    if (this.#layers.length === MOST_LAYERS) {
      this.#full = true
      this.#layers.length = 0
      return undefined
    }
    const keys = FIRST_KEYS * GROWTH ** this.#layers.length
    const blocks = Math.ceil((keys * BITS_A_KEY) / (WORDS_A_BLOCK * 32))
    const layer = { words: new Int32Array(blocks * WORDS_A_BLOCK), blocks, keys }
    this.#layers.push(layer)
    this.#inLast = 0
    return layer
  }
}

function isIn(layer: Layer, hash: number, bits: number): boolean {
  const { words } = layer
  const block = blockOf(layer, hash)
  for (let word = 0; word < WORDS_A_BLOCK; word++) {
    if (((words[block + word] as number) & bit(bits, word)) === 0) return false
  }
  return true
}

/** Where the hash's block begins. */
function blockOf({ blocks }: Layer, hash: number): number {
  return Math.floor(((hash >>> 0) / 2 ** 32) * blocks) * WORDS_A_BLOCK
}

function bit(bits: number, word: number): number {
  return 1 << (Math.imul(bits, SALTS[word] as number) >>> 27)
}

/** FNV-1a over the key's bytes and the time, and then mixed: windows of one key differ in few bits. */
function hashOf(key: ByteString, time: number): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (time | 0), 0x01000193)
  hash = Math.imul(hash ^ Math.floor(time / 2 ** 32), 0x01000193)
  return mixed(hash)
}

function mixed(hash: number): number {
  let mix = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}
