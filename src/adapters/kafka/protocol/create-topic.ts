import type { AdminResult } from './admin-result.ts'
import type { ByteReader } from './byte-reader.ts'
import { API, type ApiRequest } from './request.ts'

export interface CreateTopic {
  readonly name: string
  readonly partitions: number
  readonly settings: Readonly<Record<string, string>>
}

/**
 * CreateTopics 7, for one topic; the brokers choose how many replicas it has, and where they are. With `onlyAsk` they say
 * whether they would, and do not.
 */
export function createTopicRequest(topic: CreateTopic, timeoutMs: number, onlyAsk = false): ApiRequest<AdminResult> {
  return {
    name: 'CreateTopics',
    key: API.createTopics,
    version: 7,
    write: (to) =>
      to
        .array([topic], ({ name, partitions, settings }) => {
          to.string(name)
            .int32(partitions)
            .int16(-1)
            .array([], () => {})
          to.array(Object.entries(settings), ([setting, value]) => to.string(setting).string(value).tags()).tags()
        })
        .int32(timeoutMs)
        .bool(onlyAsk) // validate only
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: firstOf(from.array(readResult)) }),
  }
}

function readResult(from: ByteReader): AdminResult {
  from.string() // name
  from.uuid()
  const result = { errorCode: from.int16(), message: from.nullableString() }
  from.skip(6) // partitions, replicas
  from.array(readSetting)
  from.tags()
  return result
}

function readSetting(from: ByteReader): void {
  from.string()
  from.nullableString()
  from.skip(3) // read-only, source, sensitive
  from.tags()
}

/** The result of the one topic that was asked about. */
export function firstOf(results: readonly AdminResult[]): AdminResult {
  const [result] = results
  if (result === undefined) throw new RangeError('the answer leaves the topic out')
  return result
}
