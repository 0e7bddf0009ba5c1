import type { Cluster } from '../broker/cluster.ts'
import { Certificates } from './certificates.ts'
import { kafkaConfigs } from './kafka-tool.ts'

/** A certificate for 127.0.0.1 that nobody has signed, and the settings of a broker that shows it and wants a login. */
export class TestSecurity {
  readonly #certificates = new Certificates()
  readonly #broker = this.#certificates.make('broker')
  /** The path of the certificate in PEM. */
  readonly ca = this.#broker.pem

  /** For a broker that takes `username` with `password` by all three mechanisms; SCRAM when it knows the user. */
  settings(username: string, password: string): Readonly<Record<string, string>> {
    const listener = 'listener.name.secure'
    const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule required'
    const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;'
    return {
      [`${listener}.ssl.keystore.location`]: this.#broker.store,
      [`${listener}.ssl.keystore.password`]: this.#broker.password,
      [`${listener}.ssl.keystore.type`]: 'PKCS12',
      [`${listener}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
      [`${listener}.plain.sasl.jaas.config`]: `${plain} user_${username}="${password}";`,
      [`${listener}.scram-sha-256.sasl.jaas.config`]: scram,
      [`${listener}.scram-sha-512.sasl.jaas.config`]: scram,
    }
  }

  /** Makes a user known to SCRAM: the tool takes one mechanism at a time. */
  addUser(cluster: Cluster, username: string, password: string): void {
    for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-512']) {
      const secret = `${mechanism}=[password=${password}]`
      const change = ['--alter', '--add-config', secret, '--entity-type', 'users', '--entity-name', username]
      kafkaConfigs(cluster.bootstrap, ...change)
    }
  }

  remove(): void {
    this.#certificates.remove()
  }
}
