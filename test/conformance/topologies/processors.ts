import { type Forward, type ForwardValue, json, keyValueStore, windowStore } from 'tidemark'
import { int, ints, out, text, vectorTopic } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

interface Seen {
  readonly v: number
  readonly seen: boolean
  readonly near: number
}

const small = vectorTopic<number>('in')

export const processors: TopologySet = {
  'processor-kv-punctuate': ({ stream }) => {
    stream(ints)
      .process(
        'sum-up',
        { stores: { sums: keyValueStore(text, int) } },
        ({ stores: { sums }, schedule, streamTime }, forward: Forward<string, number>) => {
          schedule('1m', 'stream-time', (time) => {
            const entries = [...sums.all()]
            forward({ key: 'tick', value: streamTime(), timestamp: time })
            for (const [key, value] of entries) {
              forward({ key, value, timestamp: time })
              sums.delete(key)
            }
          })
          return ({ key, value }) => {
            if (key !== null && value !== null) sums.put(key, (sums.get(key) ?? 0) + value)
          }
        },
      )
      .to(out)
  },
  // What Kafka's processor counts in a field has to outlive a cut here, and so is in a store.
  'processor-punctuate-cancel': ({ stream }) => {
    stream(ints)
      .process(
        'tick',
        { stores: { calls: keyValueStore(text, int) } },
        ({ stores: { calls }, schedule }, forward: Forward<string | null, number | null>) => {
          const short = schedule('31s', 'stream-time', (time) => {
            forward({ key: 'short', value: time, timestamp: time })
            const count = (calls.get('short') ?? 0) + 1
            calls.put('short', count)
            if (count === 3) short.cancel()
          })
          schedule('70s', 'stream-time', (time) => forward({ key: 'long', value: time, timestamp: time }))
          return (record) => forward(record)
        },
      )
      .to(out)
  },
  'process-values-window-store': ({ stream }) => {
    stream(small)
      .processValues(
        'mark',
        {
          stores: { recent: windowStore(text, int, { size: '1m', retention: '10m' }) },
          value: json<Seen | number>(),
        },
        ({ stores: { recent } }, forward: ForwardValue<Seen | number | null>) => {
          return (record) => {
            const { key, value, timestamp } = record
            if (key === null || value === null) {
              forward({ value })
              return
            }
            const found = [...recent.fetch(key, Math.max(0, timestamp - 60_000), timestamp + 60_000)]
            const seen = found.some(([, other]) => other === value)
            recent.put(key, value, timestamp)
            forward({ value: { v: value, seen, near: found.length } })
          }
        },
      )
      .to(out)
  },
  'processor-forward-timestamp': ({ stream }) => {
    const echo = ['echo', Buffer.from('1')] as const
    stream(ints)
      .process('echo', (_, forward: Forward<string | null, number | null>) => (record) => {
        forward(record)
        const { key, timestamp, headers } = record
        forward({ ...record, key: `${key}-echo`, timestamp: timestamp + 60_000, headers: [...headers, echo] })
      })
      .to(out)
  },
}
