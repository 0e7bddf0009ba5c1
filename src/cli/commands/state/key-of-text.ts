import { TidemarkError } from '../../../core/errors.ts'
import type { Serde } from '../../../serde/serde.ts'

/**
 * The keys that a text may mean, as `tidemark state` shows them: text as it is, int64 in digits, bytes in base64. For keys
 * in JSON it is JSON where it reads as such, and the text itself too. Throws USAGE for what is no key of the store.
 */
export function keysOfText(text: string, serde: Serde<unknown>): readonly unknown[] {
  const keys = candidates(text, serde)
  const possible = keys.filter((key) => canBeWritten(key, serde))
  if (possible.length > 0) return possible
  throw new TidemarkError('USAGE', `--key ${JSON.stringify(text)} is no key of this store`, {
    hint: `Its keys are ${serde.format}: write one as 'tidemark state' shows it.`,
  })
}

/** The start of keys that a text means. Throws USAGE where the bytes of keys do not begin as their text does. */
export function prefixOfText(text: string, serde: Serde<unknown>): unknown {
  if (serde.format === 'string') return text
  if (serde.format === 'bytes') return keysOfText(text, serde)[0]
  throw new TidemarkError('USAGE', `keys that are ${serde.format} have no prefix`, { hint: 'Ask for one with --key.' })
}

function candidates(text: string, serde: Serde<unknown>): readonly unknown[] {
  switch (serde.format) {
    case 'int64':
      return /^-?\d+$/.test(text) ? [BigInt(text)] : []
    case 'bytes':
      return Buffer.from(text, 'base64').toString('base64') === text ? [Buffer.from(text, 'base64')] : []
    case 'json':
      return [...read(text, serde), text]
    default:
      return [text]
  }
}

function read(text: string, serde: Serde<unknown>): readonly unknown[] {
  try {
    const bytes = Buffer.from(text)
    return [serde.decode(bytes, 0, bytes.length)]
  } catch {
    return [] // then it is only meant as text
  }
}

function canBeWritten(key: unknown, serde: Serde<unknown>): boolean {
  try {
    serde.encode(key)
    return true
  } catch {
    return false
  }
}
