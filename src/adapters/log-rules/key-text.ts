import { type ByteString, fromByteString } from '../../core/bytes.ts'

const MOST_CHARACTERS = 60

/** A key for people: its text where it is text, else its bytes in hex. */
export function keyText(key: ByteString | null): string {
  if (key === null) return 'no key'
  const bytes = fromByteString(key)
  const text = bytes.toString('utf8')
  const isText = !/[\p{C}\uFFFD]/u.test(text)
  const shown = isText ? JSON.stringify(text) : `0x${bytes.toString('hex')}`
  return shown.length <= MOST_CHARACTERS ? `key ${shown}` : `key ${shown.slice(0, MOST_CHARACTERS)}…`
}
