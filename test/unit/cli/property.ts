import fc from 'fast-check'
import { propertyRuns } from '../../fixtures/property-runs.ts'

/** Checks what holds for all that `arbitrary` makes, with the common seed, TIDEMARK_RUNS times or `runs`. */
export async function holds<T>(
  arbitrary: fc.Arbitrary<T>,
  check: (value: T) => void | Promise<void>,
  runs: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (value) => check(value)),
    propertyRuns(runs),
  )
}
