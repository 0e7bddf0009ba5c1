import { isTidemarkError, type TidemarkError } from '../../../src/core/errors.ts'

/** The TidemarkError that `act` throws; anything else it throws goes on. */
export async function thrown(act: () => unknown): Promise<TidemarkError> {
  try {
    await act()
  } catch (error) {
    if (isTidemarkError(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
