/** From TIDEMARK_SEED, or chosen and printed, so that a failure can be repeated. */
const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Seed and number of a property's runs: TIDEMARK_RUNS, or `runs`. */
export function propertyRuns(runs: number): { readonly seed: number; readonly numRuns: number } {
  const numRuns = Number(process.env.TIDEMARK_RUNS ?? runs)
  process.stdout.write(`TIDEMARK_SEED=${seed} TIDEMARK_RUNS=${numRuns}\n`)
  return { seed, numRuns }
}
