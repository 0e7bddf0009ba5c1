import type { Secret } from './secret.ts'

export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

export interface HostPort {
  readonly host: string
  readonly port: number
}

/** How a cluster is reached. */
export interface KafkaSettings {
  /** Where to begin; the brokers tell of the others. At least one. */
  readonly brokers: readonly HostPort[]
  readonly clientId: string
  readonly tls: TlsSettings | undefined
  readonly sasl: SaslSettings | undefined
  /** For reaching the first broker, and for each connection later. */
  readonly connectTimeoutMs: number
  readonly requestTimeoutMs: number
  /** For how long what fails for reasons that may pass is tried again: an election, a restart, a broken connection. */
  readonly retryForMs: number
}

/** PEM texts. Without `ca` the authorities that Node knows. */
export interface TlsSettings {
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: Secret | undefined
}

export interface SaslSettings {
  readonly mechanism: (typeof SASL_MECHANISMS)[number]
  readonly username: string
  readonly password: Secret
}
