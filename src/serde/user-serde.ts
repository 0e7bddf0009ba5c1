import { isTidemarkError, TidemarkError } from '../core/errors.ts'
import { badData, formatBytes } from './bad-data.ts'
import type { Serde } from './serde.ts'

export interface SerdeOptions<T> {
  /** Names how stored bytes read; change it when they read differently. It is compared when a job opens. */
  readonly format: string
  /** Equal values give equal bytes, where the serde is for keys. */
  readonly encode: (value: T) => Uint8Array
  /** Reads all of `bytes`, and keeps no reference to them. */
  readonly decode: (bytes: Uint8Array) => T
}

/** A serde of your own. What `encode` and `decode` throw becomes BAD_DATA. Throws JOB_INVALID without a format. */
export function serde<T>({ format, encode, decode }: SerdeOptions<T>): Serde<T> {
  if (typeof format !== 'string' || format.trim() === '') {
    throw new TidemarkError('JOB_INVALID', 'a serde has no format', {
      hint: "Name how its bytes read, with a version, as in format: 'avro-flight@1'.",
    })
  }
  return Object.freeze({
    format,
    encode(value: T): Uint8Array {
      const bytes = translated(() => encode(value), `${format} could not write a value`)
      if (bytes instanceof Uint8Array) return bytes
      throw badData(`${format} wrote a ${typeof bytes} instead of bytes`, 'Let encode return a Uint8Array.')
    },
    decode(bytes: Uint8Array, start: number, end: number): T {
      return translated(
        () => decode(bytes.subarray(start, end)),
        () => `${format} could not read ${formatBytes(bytes, start, end)}`,
      )
    },
  })
}

function translated<R>(work: () => R, what: string | (() => string)): R {
  try {
    return work()
  } catch (error) {
    if (isTidemarkError(error)) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw badData(
      `${typeof what === 'string' ? what : what()}: ${reason}`,
      'Look at the bytes, or skip the record by policy.',
      error,
    )
  }
}
