import { describe, expect, it } from 'vitest'
import { LinkFailure } from '../../../../src/adapters/kafka/connection/link-failure.ts'
import { Retry } from '../../../../src/adapters/kafka/connection/retry.ts'
import { ProducerFenced } from '../../../../src/adapters/kafka/produce/producer-fenced.ts'
import {
  type CoordinatorBrokers,
  TransactionCoordinator,
} from '../../../../src/adapters/kafka/produce/transaction-coordinator.ts'
import { ByteReader } from '../../../../src/adapters/kafka/protocol/byte-reader.ts'
import { ByteWriter } from '../../../../src/adapters/kafka/protocol/byte-writer.ts'
import { ERROR } from '../../../../src/adapters/kafka/protocol/error-code.ts'
import type { ApiRequest } from '../../../../src/adapters/kafka/protocol/request.ts'
import { readSettings } from '../../../../src/adapters/kafka/settings/read-settings.ts'
import { ManualClock } from '../../../../src/testing/manual-clock.ts'

const PRODUCER = { producerId: 7, producerEpoch: 1 }

/** A coordinator that answers EndTxn with these codes one after the other, the last one for ever; null: no answer comes. */
function answering(...codes: readonly (number | null)[]) {
  const clock = new ManualClock(0)
  const settings = readSettings('kafka://nowhere:1', {}, () => '')
  let asked = 0
  const read = <T>(request: ApiRequest<T>, answer: ByteWriter): T => request.read(new ByteReader(answer.bytes)).value
  const brokers: CoordinatorBrokers = {
    knowsNodes: false,
    clock,
    settings,
    retry: () => new Retry(clock, () => settings.retryForMs),
    metadata: async () => ({ clusterId: 'c', controllerId: 1, brokers: [], topics: [] }),
    any: async (request) => read(request, new ByteWriter().int32(0).int16(0).string('').int32(1)),
    node: async (_, request) => {
      const code = codes[Math.min(asked++, codes.length - 1)] ?? null
      if (code === null) throw new LinkFailure('broker 1', 'it is gone')
      return read(request, new ByteWriter().int32(0).int16(code))
    },
  }
  return { clock, settings, coordinator: new TransactionCoordinator(brokers, 'id'), asked: () => asked }
}

describe('a coordinator that still ends the transaction before', () => {
  it('is asked again after milliseconds, not after the pauses of a failure', async () => {
    const busy = new Array<number>(6).fill(ERROR.CONCURRENT_TRANSACTIONS)
    const { coordinator, clock, asked } = answering(...busy, ERROR.NONE)
    await coordinator.end(PRODUCER, 'commit')
    expect(asked()).toBe(7)
    expect(clock.now()).toBeLessThan(100)
  })

  it('is given up by name when that takes longer than failures are retried for', async () => {
    const { coordinator, clock, settings } = answering(ERROR.CONCURRENT_TRANSACTIONS)
    await expect(coordinator.end(PRODUCER, 'commit')).rejects.toMatchObject({
      code: 'LOG_UNREACHABLE',
      message: expect.stringContaining('does not come to its end'),
    })
    expect(clock.now()).toBeLessThan(settings.retryForMs + 1000)
  })
})

describe('a coordinator', () => {
  it('that has moved, is loading or is gone is looked for again, within the same bound', async () => {
    const passing = answering(ERROR.NOT_COORDINATOR, ERROR.COORDINATOR_LOAD_IN_PROGRESS, null, ERROR.NONE)
    await passing.coordinator.end(PRODUCER, 'abort')
    expect(passing.asked()).toBe(4)
    const gone = answering(null)
    await expect(gone.coordinator.end(PRODUCER, 'abort')).rejects.toMatchObject({ code: 'LOG_UNREACHABLE' })
    expect(gone.clock.now()).toBeLessThan(gone.settings.retryForMs + 5000)
  })

  it.each([ERROR.INVALID_PRODUCER_EPOCH, ERROR.PRODUCER_FENCED, ERROR.INVALID_TXN_STATE])(
    'that answers %i has another producer of the id',
    async (code) => {
      await expect(answering(code).coordinator.end(PRODUCER, 'commit')).rejects.toBeInstanceOf(ProducerFenced)
    },
  )
})
