import type { ByteString } from '../core/bytes.ts'

const M = 0x5bd1e995

/** Kafka's murmur2 (seed 0x9747b28c) of a key's bytes, as a signed 32-bit integer. */
export function murmur2(key: ByteString): number {
  const whole = key.length & ~3
  let hash = 0x9747b28c ^ key.length
  for (let i = 0; i < whole; i += 4) {
    let k =
      key.charCodeAt(i) | (key.charCodeAt(i + 1) << 8) | (key.charCodeAt(i + 2) << 16) | (key.charCodeAt(i + 3) << 24)
    k = Math.imul(k, M)
    k ^= k >>> 24
    hash = Math.imul(hash, M) ^ Math.imul(k, M)
  }
  const rest = key.length - whole
  if (rest > 2) hash ^= key.charCodeAt(whole + 2) << 16
  if (rest > 1) hash ^= key.charCodeAt(whole + 1) << 8
  if (rest > 0) hash = Math.imul(hash ^ key.charCodeAt(whole), M)
  hash = Math.imul(hash ^ (hash >>> 13), M)
  return hash ^ (hash >>> 15)
}

/** The partition where Kafka's default partitioner puts a key, of `partitions`. */
export function partitionOf(key: ByteString, partitions: number): number {
  return (murmur2(key) & 0x7fffffff) % partitions
}
