import { describe, expect, inject, it } from 'vitest'
import type { KafkaOffer } from './offer.ts'
import { unmetNeed } from './unmet-need.ts'

const offer = inject('kafka')

describe('Kafka, where it is required', () => {
  it('is there', () => {
    expect(unmetNeed(offer, process.env)).toBeUndefined()
  })

  const noJava = { missing: 'there is no java' }
  const none: KafkaOffer = { given: undefined, own: noJava }
  const given: KafkaOffer = { given: 'b:9092', own: noJava }
  const own: KafkaOffer = { given: undefined, own: { folder: '/tmp/broker' } }
  const required = { TIDEMARK_TEST_KAFKA_REQUIRED: '1' }
  it.each<[KafkaOffer, NodeJS.ProcessEnv, string | undefined]>([
    [none, required, 'the suites for Kafka are skipped: there is no java'],
    [none, { TIDEMARK_TEST_KAFKA_REQUIRED: '' }, undefined],
    [none, {}, undefined],
    [given, required, 'the suites for Kafka that start and stop brokers are skipped: there is no java'],
    [given, {}, undefined],
    [own, required, undefined],
    [{ ...own, given: 'b:9092' }, required, undefined],
  ])('%o with %o lacks %s', (each, env, lacked) => {
    expect(unmetNeed(each, env)).toBe(lacked)
  })
})
