import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { record, singles } from '../contract/log/records.ts'
import type { Cluster } from './broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { makeTopic, openLog, rest, wholeRanges } from './support/logs.ts'
import { TestSecurity } from './support/security.ts'

const kafka = kafkaBroker()
const USER = 'ann'
const PASSWORD = 's3cret'

describe.skipIf(kafka.ownMissing)('a broker that wants TLS and a login', { timeout: BROKER_TIMEOUT_MS }, () => {
  let security: TestSecurity
  let cluster: Cluster
  let config = ''
  beforeAll(async () => {
    security = new TestSecurity()
    cluster = await kafka.cluster({ settings: security.settings(USER, PASSWORD) })
    security.addUser(cluster, USER, PASSWORD)
    config = join(cluster.folder, 'kafka.json')
    writeFileSync(config, JSON.stringify({ username: USER, password: PASSWORD, ca: security.ca }))
  }, BROKER_TIMEOUT_MS)
  afterAll(async () => {
    await cluster?.stop('SIGKILL')
    security?.remove()
  })

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('is read from and written to with %s', async (mechanism) => {
    const log = openLog(cluster.secureBootstrap, `&sasl=${mechanism}&config=${config}`)
    const at = await makeTopic(log, 'secure', 2)
    await log.admin().append([...singles(at(0), [record('a')]), ...singles(at(1), [record('b')])])
    const ranges = await wholeRanges(log, [at(0), at(1)])
    const reader = log.reader(ranges, { isolation: 'read_committed' })
    expect(await Promise.all(ranges.map((range, index) => rest(reader, index, range)))).toEqual([['0a=1'], ['0b=1']])
    await reader.close()
  })

  it.each([
    ['another password', '&sasl=plain&username=ann&password=wr0ng', /does not accept the login/],
    ['a user that SCRAM does not know', '&sasl=scram-sha-256&username=bob&password=wr0ng', /does not accept the login/],
  ])('%s is a mistake of the configuration, at once, and is not printed', async (_, query, message) => {
    const log = openLog(cluster.secureBootstrap, `&ca=${security.ca}${query}`)
    const failure = await log.clusterId().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID', exit: 78, message: expect.stringMatching(message) })
    expect(inspect(failure, { depth: 10 })).not.toContain('wr0ng')
  })

  it('a certificate that nobody vouches for is refused, with what to do', async () => {
    const log = openLog(cluster.secureBootstrap, '&tls=true&sasl=plain&username=ann&password=s3cret')
    const failure = await log.clusterId().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'CONFIG_INVALID', hint: expect.stringMatching(/authority/) })
    expect(inspect(failure, { depth: 10 })).not.toContain(PASSWORD)
  })

  it('a client without TLS there, or with TLS at a plain broker, does not wait for ever', async () => {
    const hasty = '&connect-timeout=500ms&request-timeout=500ms'
    for (const log of [openLog(cluster.secureBootstrap, hasty), openLog(cluster.bootstrap, `&tls=true${hasty}`)]) {
      await expect(log.clusterId()).rejects.toMatchObject({ exit: expect.any(Number) })
    }
  })
})
