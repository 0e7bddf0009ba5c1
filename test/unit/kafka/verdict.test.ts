import { describe, expect, it } from 'vitest'
import { ERROR, errorName } from '../../../src/adapters/kafka/protocol/error-code.ts'
import type { FetchedPartition } from '../../../src/adapters/kafka/protocol/fetch.ts'
import { judge } from '../../../src/adapters/kafka/reader/verdict.ts'
import type { Isolation } from '../../../src/ports/log.ts'
import { plain } from './batches.ts'

const RANGE = { topic: 't', partition: 0, from: 0, to: 10 }

function verdict(
  change: Partial<FetchedPartition>,
  { wasFirst = true, position = 4, isolation = 'read_committed' as Isolation } = {},
) {
  const fetched: FetchedPartition = {
    topicId: Buffer.alloc(16),
    partition: 0,
    errorCode: 0,
    highWatermark: 20,
    lastStableOffset: 10,
    divergesAt: undefined,
    aborted: [],
    records: Buffer.alloc(0),
    ...change,
  }
  return judge(fetched, { range: RANGE, position, wasFirst }, isolation)
}

describe('what an answer means', () => {
  it('batches move the position', () => {
    expect(verdict({ records: plain(4, 'ab', 6) })).toMatchObject({ kind: 'batches', nextOffset: 6, lastEpoch: 6 })
  })

  it('nothing means nothing unless the range was first in the request', () => {
    expect(verdict({}, { wasFirst: false })).toEqual({ kind: 'starved' })
    expect(verdict({ records: plain(4, 'ab').subarray(0, 40) }, { wasFirst: false })).toEqual({ kind: 'starved' })
    expect(verdict({})).toEqual({ kind: 'empty' })
  })

  it('nothing where the log may not be read to the end of the range is not the end', () => {
    expect(verdict({ lastStableOffset: 9 })).toEqual({ kind: 'short' })
    expect(verdict({ lastStableOffset: -1 }, { isolation: 'read_uncommitted' })).toEqual({ kind: 'empty' })
    expect(verdict({ highWatermark: 9, lastStableOffset: -1 }, { isolation: 'read_uncommitted' })).toEqual({
      kind: 'short',
    })
  })

  it('a log that parts from what was read has lost it', () => {
    expect(() => verdict({ divergesAt: 2 })).toThrowError(
      expect.objectContaining({ code: 'INPUT_LOST', at: { topic: 't', partition: 0, offset: 2 } }),
    )
  })

  it('every error code is classified', () => {
    const kinds = new Map<string, string>()
    for (const code of [...Object.values(ERROR), 12_345]) kinds.set(errorName(code), kindOf(code))
    expect(Object.fromEntries([...kinds].filter(([, kind]) => kind !== 'IO_FAILED'))).toMatchObject({
      NONE: 'empty',
      OFFSET_OUT_OF_RANGE: 'outside',
      CORRUPT_MESSAGE: 'RECORD_BATCH_CORRUPT',
      UNKNOWN_TOPIC_OR_PARTITION: 'trouble',
      UNKNOWN_TOPIC_ID: 'trouble',
      INCONSISTENT_TOPIC_ID: 'trouble',
      NOT_LEADER_OR_FOLLOWER: 'trouble',
      FENCED_LEADER_EPOCH: 'trouble',
      UNKNOWN_LEADER_EPOCH: 'trouble',
      OFFSET_NOT_AVAILABLE: 'trouble',
      REPLICA_NOT_AVAILABLE: 'trouble',
      KAFKA_STORAGE_ERROR: 'trouble',
      REQUEST_TIMED_OUT: 'trouble',
      THROTTLING_QUOTA_EXCEEDED: 'trouble',
      TOPIC_AUTHORIZATION_FAILED: 'CONFIG_INVALID',
      CLUSTER_AUTHORIZATION_FAILED: 'CONFIG_INVALID',
    })
    expect(kinds.get('error 12345')).toBe('IO_FAILED')
    expect(kinds.get('INVALID_RECORD')).toBe('IO_FAILED')
  })
})

function kindOf(errorCode: number): string {
  try {
    return verdict({ errorCode }).kind
  } catch (error) {
    return (error as { code: string }).code
  }
}
