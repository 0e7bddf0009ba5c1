import { TidemarkError } from '../../core/errors.ts'
import type { HistoryEvent } from '../../ports/history.ts'
import type { GenerationRow, StateFile } from '../../ports/state-file.ts'

/** What the history of a generation says of its becoming live. */
export interface SwitchedDetail {
  /** The generation that was live before. */
  readonly from: string
  readonly to: string
  readonly how: 'switch' | 'rollback'
}

/** The last time that a generation became live by a switch; undefined where it never did. */
export function lastSwitch(file: StateFile): (SwitchedDetail & Pick<HistoryEvent, 'seq' | 'at'>) | undefined {
  const event = file.events().findLast(({ kind }) => kind === 'switched')
  if (event === undefined) return undefined
  // It was written by this program, as what it is read as.
  return { ...(event.detail as unknown as SwitchedDetail), seq: event.seq, at: event.at }
}

/**
 * Where a generation stands in the live one's history before it has replayed anything of it: one that was live before, at
 * the commit with which the live one took its place. Throws USAGE for one that was live earlier than that.
 */
export function startsAfter(live: StateFile, { name, role }: GenerationRow): { readonly after?: number } {
  if (role !== 'retired') return {}
  const switched = lastSwitch(live)
  if (switched?.from === name) return { after: switched.seq }
  throw new TidemarkError('USAGE', `${name} is not what was live before the generation that is live now`, {
    hint: `What it has missed is not known any more. ${switched === undefined ? '' : `Go back to ${switched.from}, or `}reprocess.`,
  })
}
