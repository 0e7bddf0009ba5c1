const ROUNDS = 2_000_000
const KEYS = 4096

/** CPU nanoseconds of this process and its threads. */
export function cpuNs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

/**
 * What this machine takes for a fixed loop over a map and numbers, CPU ns, the least of five. Figures as multiples of it can be
 * compared between machines, and between busy and quiet hours.
 */
export function calibrationNs(): number {
  return Math.min(...Array.from({ length: 5 }, once))
}

function once(): number {
  const began = cpuNs()
  const sums = new Map<string, number>()
  const keys = Array.from({ length: KEYS }, (_, n) => `key-${n}`)
  for (let n = 0; n < ROUNDS; n++) {
    const key = keys[Math.imul(n, 0x9e3779b1) & (KEYS - 1)] as string
    sums.set(key, (sums.get(key) ?? 0) + n / 3)
  }
  if (sums.size !== KEYS) throw new Error('every key has its sum')
  return cpuNs() - began
}
