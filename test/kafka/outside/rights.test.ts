import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { batchOf, record } from '../../contract/log/records.ts'
import { commitAfter, deliver, delivery } from '../../contract/outside/commits.ts'
import type { Cluster } from '../broker/cluster.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { foreignKafka } from '../support/foreign-producer.ts'
import { testSettings } from '../support/settings.ts'
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

  /** Some operations are denied, by default writing; others are allowed: by default it may be seen that the thing is there. */
  async function deny(
    resourceType: AclResourceTypes,
    resourceName: string,
    denied: readonly AclOperationTypes[] = [AclOperationTypes.WRITE],
    allowed: readonly AclOperationTypes[] = [AclOperationTypes.DESCRIBE, AclOperationTypes.DELETE],
  ): Promise<void> {
    const admin = foreignKafka(cluster.bootstrap).admin()
    await admin.connect()
    const rule = (operation: AclOperationTypes, permissionType: AclPermissionTypes) => {
      const whoever = { principal: 'User:*', host: '*', resourcePatternType: ResourcePatternTypes.LITERAL }
      return { resourceType, resourceName, operation, permissionType, ...whoever }
    }
    const { DENY, ALLOW } = AclPermissionTypes
    const acl = [...denied.map((each) => rule(each, DENY)), ...allowed.map((each) => rule(each, ALLOW))]
    await admin.createAcls({ acl })
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

  describe('is told beforehand', () => {
    const needs = () => ({
      job: name('job'),
      key: 'live',
      reads: [name('in')],
      writes: [{ name: name('out'), settings: { 'cleanup.policy': 'compact' } }],
    })
    const make = (short: string, settings = {}) =>
      log()
        .admin()
        .create({ name: name(short), partitions: 1, settings })
    const commits = () => `tidemark.${name('job')}.commits`

    it('not at all where nothing is in the way, and nothing is made by asking', async () => {
      await make('in')
      expect(await log().obstacles(needs())).toEqual([])
      expect(await log().describe([name('out'), commits()])).toEqual([])
    })

    it('of topics that are there, by the rights that are lacking', async () => {
      const { DESCRIBE, DELETE, READ, WRITE } = AclOperationTypes
      await make('in')
      await make('out')
      await deny(AclResourceTypes.TOPIC, name('in'), [READ])
      await deny(AclResourceTypes.TOPIC, name('out'))
      await deny(AclResourceTypes.TOPIC, commits(), [DESCRIBE, READ, WRITE], [DELETE])
      expect(await log().obstacles(needs())).toEqual([
        `the user lacks rights on topic ${name('in')}: Read`,
        `the user lacks rights on topic ${commits()}: Describe, Read, Write`,
        `the user lacks rights on topic ${name('out')}: Write`,
      ])
    })

    it('of the transactional id', async () => {
      const { DESCRIBE, WRITE } = AclOperationTypes
      await make('in')
      await deny(AclResourceTypes.TRANSACTIONAL_ID, `tidemark.${name('job')}`, [DESCRIBE, WRITE], [])
      expect(await log().obstacles(needs())).toEqual([
        `the user lacks rights on the transactional id tidemark.${name('job')}: Describe, Write`,
      ])
    })

    it('where transactions are to last longer than the brokers let them', async () => {
      await make('in')
      const patient = new KafkaLog(testSettings(cluster.bootstrap), systemClock, 3_600_000)
      onTestFinished(() => patient.close())
      expect(await patient.obstacles(needs())).toEqual([
        'the brokers have transaction.max.timeout.ms=900000, and transactions of 1h are wanted',
      ])
    })

    it('where the topic of commits was made too small, or loses its records', async () => {
      await make('in')
      await log()
        .admin()
        .create({ name: commits(), partitions: 1, settings: { 'max.message.bytes': '1000000' } })
      expect(await log().obstacles(needs())).toEqual([
        `topic ${commits()} has cleanup.policy=delete: commit records have to stay, compact alone keeps them`,
        `topic ${commits()} has max.message.bytes=1000000: the checkpoint of many partitions may not fit`,
      ])
    })

    it('of topics that are missing: what cannot be made', async () => {
      await make('in')
      const wrong = { ...needs(), writes: [{ name: name('out'), settings: { 'min.insync.replicas': 'many' } }] }
      expect(await log().obstacles(wrong)).toEqual([
        expect.stringMatching(`^topic ${name('out')} is missing and cannot be made: .*many`),
      ])
      const { ALTER, CLUSTER_ACTION, CREATE, DESCRIBE, DESCRIBE_CONFIGS } = AclOperationTypes
      const others = [ALTER, CLUSTER_ACTION, DESCRIBE, DESCRIBE_CONFIGS]
      await deny(AclResourceTypes.TOPIC, name('out'), [CREATE], [DESCRIBE, AclOperationTypes.DELETE])
      await deny(AclResourceTypes.CLUSTER, 'kafka-cluster', [CREATE], others)
      expect(await log().obstacles(needs())).toEqual([
        `topic ${name('out')} is missing and cannot be made: the user lacks the right Create on it`,
      ])
    })
  })
})
