import { badData } from '../../serde/bad-data.ts'

/**
 * What an aggregate takes of a record's number: the number, or null where it is left out, for null and undefined. BAD_DATA
 * for NaN, the infinities and what is no number: no result could be told from them.
 */
export function takenNumber(aggregate: string, number: number | null | undefined): number | null {
  if (number === null || number === undefined) return null
  if (Number.isFinite(number)) return number
  throw refused(aggregate, number)
}

/** A value of any kind as it is. BAD_DATA for NaN and the infinities, as in `takenNumber`. */
export function takenValue<X>(aggregate: string, value: X): X {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  throw refused(aggregate, value)
}

/** A number that an aggregate has computed. BAD_DATA where it is beyond all that a JavaScript number holds. */
export function heldNumber(aggregate: string, computed: number): number {
  if (Number.isFinite(computed)) return computed
  throw badData(
    `the numbers of a ${aggregate} are too large together for a JavaScript number`,
    'Have them in a larger unit.',
  )
}

function refused(aggregate: string, value: unknown): Error {
  const shown = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return badData(
    `${aggregate} cannot take ${shown}`,
    'Give a finite number, or null for a record that is to be left out: mean(({ n }) => (Number.isFinite(n) ? n : null)).',
  )
}
