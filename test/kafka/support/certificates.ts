import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOrThrow } from '../broker/java.ts'
import { javaPrivateKey } from './java-client.ts'

const PASSWORD = 'changeit'

/** A certificate that nobody has signed but itself, in the forms that brokers and clients take. */
export interface Certificate {
  readonly alias: string
  /** A PKCS12 store with certificate and key. */
  readonly store: string
  readonly password: string
  /** The path of the certificate in PEM. */
  readonly pem: string
}

/** Makes certificates in a folder of its own. */
export class Certificates {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tidemark-tls-'))

  /** `alias` is its common name too; it is good for 127.0.0.1. */
  make(alias: string): Certificate {
    const store = this.#path(`${alias}.p12`)
    const pem = this.#path(`${alias}.pem`)
    const name = ['-dname', `CN=${alias}`, '-ext', 'san=ip:127.0.0.1,dns:localhost', '-validity', '3650']
    runOrThrow('keytool', ['-genkeypair', '-keyalg', 'EC', '-alias', alias, ...storeOptions(store), ...name])
    runOrThrow('keytool', ['-exportcert', '-rfc', '-file', pem, '-alias', alias, ...storeOptions(store)])
    return { alias, store, password: PASSWORD, pem }
  }

  /** The path of a certificate's private key in PEM. */
  key({ alias, store }: Certificate): string {
    const path = this.#path(`${alias}-key.pem`)
    writeFileSync(path, javaPrivateKey(store, PASSWORD, alias))
    return path
  }

  /** A store of certificates that are trusted. */
  trusting(...trusted: readonly Certificate[]): Pick<Certificate, 'store' | 'password'> {
    const store = this.#path(`${trusted.map(({ alias }) => alias).join('-')}-trusted.p12`)
    for (const { alias, pem } of trusted) {
      runOrThrow('keytool', ['-importcert', '-noprompt', '-alias', alias, '-file', pem, ...storeOptions(store)])
    }
    return { store, password: PASSWORD }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #path(name: string): string {
    return join(this.#folder, name)
  }
}

function storeOptions(store: string): readonly string[] {
  return ['-keystore', store, '-storepass', PASSWORD, '-storetype', 'PKCS12']
}
