import fc from 'fast-check'

/** From TIDEMARK_SEED, or chosen and printed, so that a failure can be repeated. */
const seed = Number(process.env.TIDEMARK_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Checks what holds for all that `arbitrary` makes, with the common seed, TIDEMARK_RUNS times or `runs`. */
export async function holds<T>(
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => void | Promise<void>,
  runs: number,
): Promise<void> {
  const numRuns = Number(process.env.TIDEMARK_RUNS ?? runs)
  process.stdout.write(`TIDEMARK_SEED=${seed} TIDEMARK_RUNS=${numRuns}\n`)
  await fc.assert(
    fc.asyncProperty(arbitrary, async (value) => check(value)),
    { seed, numRuns },
  )
}
