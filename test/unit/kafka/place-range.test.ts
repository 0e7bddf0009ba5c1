import { describe, expect, it } from 'vitest'
import { Retry } from '../../../src/adapters/kafka/connection/retry.ts'
import type { TopicMetadata } from '../../../src/adapters/kafka/protocol/metadata.ts'
import { placeRange } from '../../../src/adapters/kafka/reader/place-range.ts'
import { RangeFetch } from '../../../src/adapters/kafka/reader/range-fetch.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'

function range(partition = 0): RangeFetch {
  return new RangeFetch({ topic: 't', partition, from: 0, to: 9 }, new Retry(new ManualClock(), () => 1000))
}

function topic(leader: number, leaderEpoch: number, id = 1): TopicMetadata {
  return {
    errorCode: 0,
    name: 't',
    id: Buffer.alloc(16, id),
    isInternal: false,
    partitions: [{ errorCode: 0, leader, leaderEpoch }],
  }
}

describe('where a range is fetched from', () => {
  it('is the leader, with its epoch', () => {
    const fetch = range()
    expect(placeRange(fetch, topic(3, 7))).toBeUndefined()
    expect(fetch).toMatchObject({ leader: 3, leaderEpoch: 7, topicId: Buffer.alloc(16, 1) })
    expect(placeRange(fetch, topic(4, 8))).toBeUndefined()
    expect(fetch).toMatchObject({ leader: 4, leaderEpoch: 8 })
  })

  it('is not changed by a broker that has not heard of an election', () => {
    const fetch = range()
    placeRange(fetch, topic(4, 8))
    expect(placeRange(fetch, topic(3, 7))).toBeUndefined()
    expect(fetch).toMatchObject({ leader: 4, leaderEpoch: 8 })
  })

  it('is waited for while there is no leader', () => {
    expect(placeRange(range(), topic(-1, 7))?.message).toContain('it has no leader')
  })

  it('is nowhere when the topic or the partition is missing three times in a row', () => {
    for (const [fetch, found] of [
      [range(), undefined],
      [range(5), topic(3, 7)],
    ] as const) {
      expect(placeRange(fetch, found)?.message).toContain('do not know it')
      expect(placeRange(fetch, found)?.message).toContain('do not know it')
      expect(() => placeRange(fetch, found)).toThrowError(expect.objectContaining({ code: 'INPUT_MISSING' }))
    }
  })

  it('is nowhere when another topic has its name, at once', () => {
    const fetch = range()
    placeRange(fetch, topic(3, 7))
    placeRange(fetch, undefined)
    expect(placeRange(fetch, topic(3, 7))).toBeUndefined()
    expect(() => placeRange(fetch, topic(3, 0, 2))).toThrowError(expect.objectContaining({ code: 'INPUT_REPLACED' }))
  })
})
