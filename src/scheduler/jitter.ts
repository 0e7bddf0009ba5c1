const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** How long after its slot a run starts, in ms, from 0 to below `limitMs`: by chance, but always the same for a slot. */
export function jitter(job: string, slot: number, limitMs: number): number {
  let hash = FNV_OFFSET
  for (const character of `${job}@${slot}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), FNV_PRIME)
  }
  // The low bits of neighbouring slots are alike until they have been folded.
  hash = Math.imul(hash ^ (hash >>> 15), FNV_PRIME)
  hash ^= hash >>> 13
  return Math.floor(((hash >>> 0) / 2 ** 32) * limitMs)
}
