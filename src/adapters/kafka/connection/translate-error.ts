import { TidemarkError } from '../../../core/errors.ts'
import { LinkFailure } from './link-failure.ts'

/** What kafkajs' errors say beside their message. */
interface KafkajsError {
  readonly name: string
  readonly message: string
  readonly type?: string
  /** Of Node, or of the protocol. */
  readonly code?: string | number
}

/** Node's and OpenSSL's codes for a certificate or a handshake that will be as wrong next time. */
const TLS_CODES = /^(ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA)/

/** Node's codes for sockets and names: `ECONNRESET`, `ENOTFOUND`, `EAI_AGAIN`, `EPIPE`. */
const SYSTEM_CODES = /^(?!ERR_)E[A-Z]+(_[A-Z]+)?$/

/**
 * An error of a connection in our words: CONFIG_INVALID where nothing but other settings will help, LinkFailure where the
 * next attempt may succeed. Errors of ours pass, and what is a defect.
 */
export function translateError(error: unknown, address: string): Error {
  if (error instanceof TidemarkError || error instanceof LinkFailure) return error
  if (!(error instanceof Error)) return new Error(String(error))
  const { name, message, type = '', code = '' } = error as KafkajsError
  if (name === 'KafkaJSSASLAuthenticationError' || /SASL_AUTHENTICATION_FAILED|UNSUPPORTED_SASL_MECHANISM/.test(type)) {
    return new TidemarkError('CONFIG_INVALID', `${address} does not accept the login: ${message}`, {
      hint: 'Check sasl, username and password; the broker says which mechanisms it takes.',
      cause: error,
    })
  }
  if (TLS_CODES.test(String(code))) {
    return new TidemarkError('CONFIG_INVALID', `no TLS connection to ${address}: ${message}`, {
      hint:
        'Name the authority of its certificate with ca, or connect by the host name that the certificate has. If the broker ' +
        "wants the client's certificate, name cert and key.",
      cause: error,
    })
  }
  const isOfTheirs = name.startsWith('KafkaJS') || SYSTEM_CODES.test(String(code))
  return isOfTheirs ? new LinkFailure(address, message, error) : error
}
