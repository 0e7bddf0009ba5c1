import { describe, expect, inject, it } from 'vitest'
import type { KafkaOffer } from './offer.ts'
import { unmetNeed } from './unmet-need.ts'

const offer = inject('kafka')

describe('Kafka, where it is required', () => {
  it('is there', () => {
    expect(unmetNeed(offer, process.env)).toBeUndefined()
  })

  const none: KafkaOffer = { kind: 'none', why: 'there is no java' }
  it.each<[KafkaOffer, NodeJS.ProcessEnv, string | undefined]>([
    [none, { TIDEMARK_TEST_KAFKA_REQUIRED: '1' }, 'the suites for Kafka are skipped: there is no java'],
    [none, { TIDEMARK_TEST_KAFKA_REQUIRED: '' }, undefined],
    [none, {}, undefined],
    [{ kind: 'given', bootstrap: 'b:9092' }, { TIDEMARK_TEST_KAFKA_REQUIRED: '1' }, undefined],
    [{ kind: 'own', folder: '/tmp/broker' }, { TIDEMARK_TEST_KAFKA_REQUIRED: '1' }, undefined],
  ])('%o with %o lacks %s', (each, env, lacked) => {
    expect(unmetNeed(each, env)).toBe(lacked)
  })
})
