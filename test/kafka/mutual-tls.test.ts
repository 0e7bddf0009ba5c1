import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KafkaOutside } from '../../src/adapters/kafka/outside/kafka-outside.ts'
import { batchOf, readAll, record } from '../contract/log/records.ts'
import { commitAfter, deliver } from '../contract/outside/commits.ts'
import type { Cluster } from './broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { type Certificate, Certificates } from './support/certificates.ts'
import { makeTopic, openLog, unique } from './support/logs.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.ownMissing)(
  "a broker that wants the client's certificate",
  { timeout: BROKER_TIMEOUT_MS },
  () => {
    let certificates: Certificates
    let cluster: Cluster
    let broker: Certificate
    let known: Certificate
    let unknown: Certificate
    beforeAll(async () => {
      certificates = new Certificates()
      broker = certificates.make('broker')
      known = certificates.make('known')
      unknown = certificates.make('unknown')
      cluster = await kafka.cluster({ settings: settingsOf(broker, certificates.trusting(known)) })
    }, BROKER_TIMEOUT_MS)
    afterAll(async () => {
      await cluster?.stop('SIGKILL')
      certificates?.remove()
    })

    it('is read from and written to, in transactions too', async () => {
      const config = join(cluster.folder, 'kafka.json')
      writeFileSync(config, JSON.stringify({ ca: broker.pem, cert: known.pem, key: certificates.key(known) }))
      const log = openLog(cluster.secureBootstrap, `&config=${config}`)
      const at = await makeTopic(log, 'mutual')
      await log.admin().append([batchOf(at(), [record('a')])])
      const outside = await log.outside(unique('job'), 'live')
      await deliver(outside, [batchOf(at(), [record('b')])], commitAfter(null, 'A'))
      await outside.close()
      expect(outside).toBeInstanceOf(KafkaOutside)
      expect((await readAll(log, at())).map(({ key }) => key)).toEqual(['a', 'b'])
    })

    it.each([
      ['no certificate', () => ''],
      ['one that it does not trust', () => `&cert=${unknown.pem}&key=${certificates.key(unknown)}`],
    ])('refuses %s, which is a mistake of the configuration, and no key is printed', async (_, query) => {
      const log = openLog(cluster.secureBootstrap, `&ca=${broker.pem}${query()}`)
      const failure = await log.clusterId().catch((error: unknown) => error)
      expect(failure).toMatchObject({ code: 'CONFIG_INVALID', exit: 78, hint: expect.stringContaining('cert and key') })
      expect(inspect(failure, { depth: 10 })).not.toContain('PRIVATE KEY')
    })
  },
)

/** Of a broker whose secure listener takes clients by their certificates, and no others. */
function settingsOf(
  broker: Certificate,
  trusted: Pick<Certificate, 'store' | 'password'>,
): Readonly<Record<string, string>> {
  const ssl = 'listener.name.secure.ssl'
  return {
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SSL',
    [`${ssl}.client.auth`]: 'required',
    [`${ssl}.keystore.location`]: broker.store,
    [`${ssl}.keystore.password`]: broker.password,
    [`${ssl}.keystore.type`]: 'PKCS12',
    [`${ssl}.truststore.location`]: trusted.store,
    [`${ssl}.truststore.password`]: trusted.password,
    [`${ssl}.truststore.type`]: 'PKCS12',
  }
}
