import fc from 'fast-check'

/** From TIDEMARK_SEED, or chosen and printed, so that a failure can be repeated. */
const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Checks a property with the common seed, TIDEMARK_RUNS times or `runs`. */
export function holds<T extends unknown[]>(property: fc.IProperty<T>, runs: number): void {
  const numRuns = Number(process.env.TIDEMARK_RUNS ?? runs)
  process.stdout.write(`TIDEMARK_SEED=${seed} TIDEMARK_RUNS=${numRuns}\n`)
  fc.assert(property, { seed, numRuns })
}
