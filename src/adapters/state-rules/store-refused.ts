import { TidemarkError } from '../../core/errors.ts'
import type { StoreIdentity } from '../../ports/state-file.ts'
import type { StoreShape } from '../../ports/store-table.ts'

/** A store cannot be opened with another shape than it was made with. */
export function otherShape({ name, shape }: StoreIdentity, asked: StoreShape): TidemarkError {
  return new TidemarkError('STATE_INCOMPATIBLE', `store ${name} has the shape ${shape}, not ${asked}`, {
    hint: 'Give the store another name, or reset it.',
  })
}

/** A file that was opened to read gets no new stores. */
export function noStore(name: string, stores: readonly StoreIdentity[]): TidemarkError {
  const names = stores.map((store) => store.name).join(', ')
  return new TidemarkError('STATE_MISSING', `there is no store ${name}`, { hint: `There are: ${names || 'none'}.` })
}
