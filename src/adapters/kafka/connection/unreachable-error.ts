import { TidemarkError } from '../../../core/errors.ts'

/** The cluster does not answer, or not in a way that lets one go on. */
export function unreachable(message: string, cause?: unknown): TidemarkError {
  return new TidemarkError('LOG_UNREACHABLE', message, {
    hint: 'Check the address and the brokers, and that the addresses which they advertise can be reached from here.',
    ...(cause === undefined ? {} : { cause }),
  })
}
