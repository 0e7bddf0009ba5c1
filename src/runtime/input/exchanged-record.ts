import type { ByteString } from '../../core/bytes.ts'
import { type Headers, NO_HEADERS } from '../../core/headers.ts'

/** A record on its way through an exchange. The input record that it came from is the one still under way. */
export class ExchangedRecord {
  exchange = -1
  task = -1
  key: ByteString | null = null
  decodedKey: unknown = null
  value: unknown = null
  old: unknown = undefined
  timestamp = -1
  headers: Headers = NO_HEADERS

  /** Holds on to nothing. */
  clear(): void {
    this.decodedKey = null
    this.value = null
    this.old = undefined
    this.headers = NO_HEADERS
  }
}
