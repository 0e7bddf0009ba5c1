import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../../contract/log/records.ts'
import { commitAfter, deliver, delivery } from '../../contract/outside/commits.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { foreignKafka } from '../support/foreign-producer.ts'
import { outsideWorld } from './world.ts'

const kafka = kafkaBroker()

describe.skipIf(kafka.ownMissing)('what a user may not write to Kafka', () => {
  let cluster: Cluster
  beforeAll(async () => {
    cluster = await kafka.cluster({
      settings: {
        'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
        'allow.everyone.if.no.acl.found': 'true',
      },
    })
  }, BROKER_TIMEOUT_MS)
  afterAll(() => cluster?.stop('SIGKILL'))
  const { name, log, outside, keys } = outsideWorld(async () => cluster.bootstrap)

  /** Writing is denied; that the thing is there may be seen. */
  async function deny(resourceType: AclResourceTypes, resourceName: string): Promise<void> {
    const admin = foreignKafka(cluster.bootstrap).admin()
    await admin.connect()
    const rule = (operation: AclOperationTypes, permissionType: AclPermissionTypes) => {
      const whoever = { principal: 'User:*', host: '*', resourcePatternType: ResourcePatternTypes.LITERAL }
      return { resourceType, resourceName, operation, permissionType, ...whoever }
    }
    const { DENY, ALLOW } = AclPermissionTypes
    const { WRITE, DESCRIBE, DELETE } = AclOperationTypes
    await admin.createAcls({ acl: [rule(WRITE, DENY), rule(DESCRIBE, ALLOW), rule(DELETE, ALLOW)] })
    await admin.disconnect()
  }

  it('is refused by the name of the topic, and leaves nothing in the others', async () => {
    for (const topic of ['open', 'closed'])
      await log()
        .admin()
        .create({ name: name(topic), partitions: 1 })
    await deny(AclResourceTypes.TOPIC, name('closed'))
    const batch = (topic: string) => batchOf({ topic: name(topic), partition: 0 }, [record('a')])
    const out = outside()
    await out.claim(delivery('A'), 0, false)
    await out.begin()
    await out.send([batch('open')])
    const failure = await out.send([batch('closed'), batch('open')]).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73, at: { topic: name('closed') } })
    await out.abort()
    await deliver(out, [batch('open')], commitAfter(null, 'A'))
    expect(await keys('open')).toEqual(['a'])
    await expect(
      log()
        .admin()
        .append([batch('closed')]),
    ).rejects.toMatchObject({ code: 'OUTPUT_REFUSED' })
  })

  it('is refused by the name of the transactional id', async () => {
    await deny(AclResourceTypes.TRANSACTIONAL_ID, `tidemark.${name('job')}`)
    const failure = await outside()
      .claim(delivery('A'), 0, false)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'OUTPUT_REFUSED', exit: 73 })
    expect(String(failure)).toContain(`tidemark.${name('job')}`)
  })

  it('tells the limit on transactions that the brokers have', async () => {
    const failure = await outside({ transactionTimeoutMs: 3_600_000 })
      .claim(delivery('A'), 0, false)
      .catch((error: unknown) => error)
    expect(failure).toMatchObject({
      code: 'CONFIG_INVALID',
      hint: expect.stringContaining('transaction.max.timeout.ms'),
    })
  })
})
