import { bytes, int64, json, type Serde, serde, sessionWindowed, string, timeWindowed, type Windowed } from 'tidemark'
import { unique } from './logs.ts'

const KINDS = {
  tumbling: { kind: 'time', size: 60_000 },
  hopping: { kind: 'time', size: 90_000 },
  sliding: { kind: 'time', size: 45_000 },
  session: { kind: 'session', size: 0 },
} as const

export type WindowsKind = keyof typeof KINDS

/** `Serdes.Integer()`: there is none of ours, since a job can say it in four lines. */
const int32 = serde<number>({
  format: 'int32',
  encode: (value) => {
    const encoded = Buffer.alloc(4)
    encoded.writeInt32BE(value)
    return encoded
  },
  decode: (encoded) => Buffer.from(encoded).readInt32BE(),
})

/** A kind of key: what Kafka Streams calls it, our serde, how a text becomes one, and how Java is told, or says, which. */
export interface InnerKey<K> {
  readonly inner: string
  readonly serde: Serde<K>
  readonly of: (text: string) => K
  readonly said: (key: K) => unknown
}

function innerKey<K>(key: InnerKey<K>): InnerKey<unknown> {
  // each is only given what it has made itself
  return key as InnerKey<unknown>
}

/** Every kind of key that both sides write. */
export const INNER_KEYS: readonly InnerKey<unknown>[] = [
  innerKey({ inner: 'string', serde: string(), of: (text) => text, said: (key) => key }),
  innerKey({
    inner: 'long',
    serde: int64(),
    of: (text) => BigInt(numberOf(text)) * 2n ** 40n,
    said: (key) => `${key}`,
  }),
  innerKey({
    inner: 'integer',
    serde: int32,
    of: numberOf,
    said: (key) => key,
  }),
  innerKey({
    inner: 'bytes',
    serde: bytes(),
    of: (text) => Buffer.from(`\xff\0${text}`, 'latin1'),
    said: (key) => Buffer.from(key).toString('hex'),
  }),
  innerKey({
    inner: 'json',
    serde: json<{ readonly name: string; readonly of: readonly (number | null)[] }>(),
    // Jackson escapes what lies outside the first plane
    of: (name) => ({ name: name.replace('😀', ':-)'), of: [name.length, null, 0.5] }),
    said: (key) => key,
  }),
]

/** A number for each text: below 0 where its length is odd. */
function numberOf(text: string): number {
  const sum = [...Buffer.from(text)].reduce((total, byte) => total + byte, 0)
  return text.length % 2 === 0 ? sum : -sum
}

/** A topic of windowed keys: its name, its windows, its keys, and the serde of both. */
export interface WindowedTopic {
  readonly name: string
  readonly windows: WindowsKind
  readonly key: InnerKey<unknown>
  readonly serde: Serde<Windowed<unknown>>
  /** Which topic it is, for Java. */
  readonly command: object
}

/** A topic for each kind of windows and keys. */
export function windowedTopics(): readonly WindowedTopic[] {
  return (Object.keys(KINDS) as WindowsKind[]).flatMap((windows) =>
    INNER_KEYS.map((key) => {
      const { kind, size } = KINDS[windows]
      const name = unique(`${windows}-${key.inner}`)
      const serde = kind === 'time' ? timeWindowed(key.serde, size) : sessionWindowed(key.serde)
      return { name, windows, key, serde, command: { topic: name, kind, size, inner: key.inner } }
    }),
  )
}
