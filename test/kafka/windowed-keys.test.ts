import {
  hopping,
  type JobBuilder,
  job,
  json,
  type KStream,
  session,
  sliding,
  string,
  topic,
  tumbling,
  type Windowed,
} from 'tidemark'
import { beforeAll, describe, expect, it } from 'vitest'
import { batchOf, record } from '../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { javaWindows } from './support/java-client.ts'
import { javaMissing } from './support/java-writer.ts'
import { KafkaField } from './support/kafka-field.ts'
import { unique } from './support/logs.ts'
import { type WindowedTopic, windowedTopics } from './support/windowed-topics.ts'

interface JavaWindow {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly key: unknown
  readonly start: number
  readonly end: number
  readonly value: string | null
  readonly chosen: number
}

const kafka = kafkaBroker()
const PARTITIONS = 3
const TEXTS = ['a', 'ü', 'Düsseldorf', '😀', 'b\0c']
const START = 1_762_560_000_000
/** Texts with their seconds after the start, by time. */
const CLICKS = [0, 20, 55, 61, 200].flatMap((second) => TEXTS.map((text, at) => [text, second + at] as const))

describe.skipIf(kafka.missing ?? javaMissing)('keys with windows, and Kafka Streams in Java', () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  async function field(topics: readonly WindowedTopic[]): Promise<KafkaField> {
    const made = new KafkaField(bootstrap)
    await made.make()
    for (const { name } of topics) await made.topic(name, PARTITIONS)
    return made
  }

  it('its deserializers read what a job writes: key, start, end, in the partition of the key', async () => {
    const topics = windowedTopics()
    const on = await field(topics)
    const clicks = CLICKS.map(([text, second]) =>
      record(Buffer.from(text).toString('latin1'), '1', START + second * 1000),
    )
    await on.log.admin().append([batchOf(on.at(), clicks)])
    await on.run(
      job(unique('counting'), {}, (builder) => topics.forEach((each) => void counting(builder, on.input, each))),
    )
    const read = javaReads(topics)
    for (const each of topics) {
      const theirs = read.filter(({ topic }) => topic === each.name)
      expect(theirs.map(({ chosen }) => chosen)).toEqual(theirs.map(({ partition }) => partition))
      const ours = (await on.records(each.name)).map(({ partition, offset, key, value }) => {
        const { key: inner, ...window } = each.serde.decode(key ?? new Uint8Array(), 0, key?.length ?? 0)
        const shown = value === null ? null : Buffer.from(value).toString('hex')
        return { topic: each.name, partition, offset, key: each.key.said(inner), ...window, value: shown }
      })
      expect(sorted(theirs)).toEqual(sorted(ours))
      for (const text of TEXTS) {
        const mine = theirs.filter(({ key }) => same(key, each.key.said(each.key.of(text))))
        expect(new Set(mine.map(({ partition }) => partition)).size).toBe(1)
        expect(mine).toEqual(
          expect.arrayContaining(expected(each, text).map((window) => expect.objectContaining(window))),
        )
      }
    }
  }, 60_000)

  it('a job reads what its serializers write: key, start, end; they write the same bytes', async () => {
    const topics = windowedTopics()
    const on = await field(topics)
    const windowsOf = (each: WindowedTopic) =>
      TEXTS.flatMap((text, at) => {
        const key = each.key.of(text)
        const said = each.key.said(key)
        return expected(each, text).map((window) => ({ key, said, partition: at % PARTITIONS, ...window }))
      })
    javaWindows(
      bootstrap,
      topics.map((each) => ({
        do: 'write',
        ...each.command,
        windows: windowsOf(each).map(({ key: _, said, ...window }) => ({ ...window, key: said })),
      })),
    )
    const out = unique('out')
    const said = topic(out, { key: string(), value: json<unknown>() })
    await on.run(
      job(unique('reading'), {}, ({ stream }) => {
        for (const { name, serde, key } of topics) {
          stream(topic(name, { key: serde, value: json<number>() }))
            .map((_, window) => [name, { ...window, key: key.said(window.key) }], string())
            .to(said)
        }
      }),
    )
    const read = (await on.records(out)).map(({ key, value }) => [text(key), JSON.parse(text(value))] as const)
    for (const each of topics) {
      const windows = windowsOf(each)
      const ours = read.filter(([name]) => name === each.name).map(([, window]) => window)
      expect(sorted(ours)).toEqual(sorted(windows.map(({ said, start, end }) => ({ start, end, key: said }))))
      const theirs = (await on.records(each.name)).map(({ key }) => Buffer.from(key ?? []).toString('hex'))
      const written = windows.map(({ key, start, end }) => Buffer.from(each.serde.encode({ key, start, end })))
      expect([...theirs].sort()).toEqual(written.map((bytes) => bytes.toString('hex')).sort())
    }
  }, 60_000)

  function javaReads(topics: readonly WindowedTopic[]): readonly JavaWindow[] {
    return javaWindows(
      bootstrap,
      topics.map(({ command }) => ({ do: 'read', ...command })),
    ) as readonly JavaWindow[]
  }
})

/** Counts the records of the topic `input` by key and window, into a topic. */
function counting({ stream }: JobBuilder, input: string, { name, windows, key, serde }: WindowedTopic): void {
  const grouped = stream(topic(input, { key: string(), value: json<number>() })).groupBy(
    (_, text) => key.of(text),
    key.serde,
  )
  const counted = (): KStream<Windowed<unknown>, number | null> => {
    switch (windows) {
      case 'tumbling':
        return grouped.windowedBy(tumbling('60s')).count(name).toStream()
      case 'hopping':
        return grouped
          .windowedBy(hopping('90s', { advance: '30s' }))
          .count(name)
          .toStream()
      case 'sliding':
        return grouped.windowedBy(sliding('45s')).count(name).toStream()
      case 'session':
        return grouped.windowedBy(session('30s')).count(name).toStream()
    }
  }
  counted().to(topic(name, { key: serde, value: json<number>(), nullValue: true }))
}

/** Some windows that the clicks on a text fall into. */
function expected(
  { windows }: WindowedTopic,
  text: string,
): readonly { readonly start: number; readonly end: number }[] {
  const first = START + TEXTS.indexOf(text) * 1000
  const between = (from: number, to: number) => ({ start: from, end: to })
  switch (windows) {
    case 'tumbling':
      return [between(START, START + 60_000), between(START + 180_000, START + 240_000)]
    case 'hopping':
      return [-60, -30, 0].map((second) => between(START + second * 1000, START + (second + 90) * 1000))
    case 'sliding':
      return [between(first - 45_000, first), between(first + 200_000 - 45_000, first + 200_000)]
    case 'session':
      return [between(first, first + 20_000), between(first + 200_000, first + 200_000)]
  }
}

function sorted(rows: readonly unknown[]): readonly unknown[] {
  const shown = (row: unknown) =>
    JSON.stringify(Object.entries(row as object).sort(([one], [two]) => (one < two ? -1 : 1)))
  return rows.map((row) => shown(dropped(row))).sort()
}

/** What both sides say. */
function dropped(row: unknown): object {
  const { chosen: _, ...rest } = row as Record<string, unknown>
  return rest
}

function same(one: unknown, two: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(two)
}

function text(bytes: Uint8Array | null): string {
  return Buffer.from(bytes ?? []).toString('utf8')
}
