import type { ByteString } from './bytes.ts'

/** The first byte string that no longer begins with `prefix`; undefined where there is none. */
export function afterPrefix(prefix: ByteString): ByteString | undefined {
  for (let at = prefix.length - 1; at >= 0; at--) {
    const byte = prefix.charCodeAt(at)
    if (byte < 0xff) return prefix.slice(0, at) + String.fromCharCode(byte + 1)
  }
  return undefined
}
