import { TidemarkError } from '../core/errors.ts'

/** Reads `--limit`, how many of something are shown: a whole number from 1 on. Throws USAGE for anything else. */
export function limitOption(limit: number): number {
  if (Number.isSafeInteger(limit) && limit > 0) return limit
  throw new TidemarkError('USAGE', `--limit ${limit} is not a whole number from 1 on`, {
    hint: 'Write it as in --limit 20.',
  })
}
