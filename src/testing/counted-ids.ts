import type { Ids } from '../ports/clock.ts'

/** UUIDs that count from 1, so that a test is the same each time. */
export function countedIds(): Ids {
  let last = 0
  return {
    uuid: () => {
      last++
      return `00000000-0000-4000-8000-${String(last).padStart(12, '0')}`
    },
  }
}
