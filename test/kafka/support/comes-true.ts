import { setTimeout } from 'node:timers/promises'

const LIMIT_MS = 30_000

/** Asks again and again until it is so. Throws after half a minute, naming what did not come. */
export async function comesTrue(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + LIMIT_MS
  while (!(await isSo())) {
    if (performance.now() > limit) throw new Error(`it did not come: ${what}`)
    await setTimeout(5)
  }
}
