import type { Session } from '../session.ts'

/** A generation that may become live keeps what it would have published. */
export function keepsOutputs({ outside, generation: { role } }: Pick<Session, 'outside' | 'generation'>): boolean {
  return outside === null && (role === 'reprocessed' || role === 'retired')
}
