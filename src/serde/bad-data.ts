import { TidemarkError } from '../core/errors.ts'

/** The error of a serde: what is wrong with the bytes or the value, and what can be done about it. */
export function badData(message: string, hint: string, cause?: unknown): TidemarkError {
  return new TidemarkError('BAD_DATA', message, { hint, cause })
}

/** The first bytes as hex, for messages. */
export function formatBytes(bytes: Uint8Array, start: number, end: number): string {
  const shown = Buffer.from(bytes.subarray(start, Math.min(end, start + 16))).toString('hex')
  return end - start > 16 ? `${shown}…` : shown
}
