import type { ByteReader } from './byte-reader.ts'
import { API, type ApiRequest } from './request.ts'

export interface DescribedTopic {
  readonly errorCode: number
  readonly topic: string
  readonly settings: Readonly<Record<string, string>>
}

/** How requests about settings name a topic among other things that have some. */
export const TOPIC_RESOURCE = 2

const BROKER_RESOURCE = 4

/** DescribeConfigs 4: the settings in force of topics, defaults included. */
export function describeConfigsRequest(topics: readonly string[]): ApiRequest<readonly DescribedTopic[]> {
  return requestOf(TOPIC_RESOURCE, topics)
}

/** The same of a broker, which it has to be sent to. Its id stands where topics have their name. */
export function describeBrokerRequest(nodeId: number): ApiRequest<readonly DescribedTopic[]> {
  return requestOf(BROKER_RESOURCE, [String(nodeId)])
}

function requestOf(resource: number, names: readonly string[]): ApiRequest<readonly DescribedTopic[]> {
  return {
    name: 'DescribeConfigs',
    key: API.describeConfigs,
    version: 4,
    write: (to) =>
      to
        .array(names, (name) =>
          to
            .int8(resource)
            .string(name)
            .array(null, () => {})
            .tags(),
        )
        .bool(false) // synonyms
        .bool(false) // documentation
        .tags(),
    read: (from) => ({ throttleMs: from.int32(), value: from.array(readResult) }),
  }
}

function readResult(from: ByteReader): DescribedTopic {
  const errorCode = from.int16()
  from.nullableString() // message
  from.int8() // resource type
  const topic = from.string()
  const settings: Record<string, string> = {}
  for (const [name, value] of from.array(readSetting)) if (value !== null) settings[name] = value
  from.tags()
  return { errorCode, topic, settings }
}

function readSetting(from: ByteReader): readonly [string, string | null] {
  const name = from.string()
  const value = from.nullableString()
  from.skip(3) // read-only, source, sensitive
  from.array(readSynonym)
  from.skip(1) // type
  from.nullableString() // documentation
  from.tags()
  return [name, value]
}

function readSynonym(from: ByteReader): void {
  from.string()
  from.nullableString()
  from.skip(1) // source
  from.tags()
}
