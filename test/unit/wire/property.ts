import fc from 'fast-check'
import { propertyRuns } from '../../fixtures/property-runs.ts'

/** Checks a property with the common seed, TIDEMARK_RUNS times or `runs`. */
export function holds<T extends unknown[]>(property: fc.IProperty<T>, runs: number): void {
  fc.assert(property, propertyRuns(runs))
}
