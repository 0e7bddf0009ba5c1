import type { Isolation } from '../../../ports/log.ts'

/** How requests name an isolation. */
export function isolationNumber(isolation: Isolation): number {
  return isolation === 'read_committed' ? 1 : 0
}
