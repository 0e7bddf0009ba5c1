import {
  type Forward,
  type ForwardValue,
  job,
  json,
  type KeyValueStore,
  type KStream,
  keyValueStore,
  sessionStore,
  string,
  timestampedKeyValueStore,
  type VersionedStore,
  versionedStore,
  type WindowStore,
  windowStore,
} from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { counts, type Flight, flights, holed } from './topics.ts'

it('infers the stores of a processor, its records, and what it forwards', () => {
  job('j', {}, ({ stream }) => {
    const stores = {
      sums: keyValueStore(string(), json<number>()),
      recent: windowStore(string(), json<Flight>(), { size: '1m', retention: '1h' }),
      prices: versionedStore(json<number>(), string(), { historyRetention: '1h' }),
      visits: sessionStore(string(), json<number>(), { retention: '1h' }),
      stamps: timestampedKeyValueStore(string(), json<number>()),
    }
    const processed = stream(flights).process('p', { stores }, (context, forward: Forward<number, string>) => {
      expectType<KeyValueStore<string, number>>()(context.stores.sums)
      expectType<WindowStore<string, Flight>>()(context.stores.recent)
      expectType<VersionedStore<number, string>>()(context.stores.prices)
      context.schedule('1m', 'stream-time', (time) => forward({ key: time, value: 'tick' }))
      return ({ key, value, timestamp, headers }) => {
        expectType<string>()(key)
        expectType<Flight>()(value)
        expectType<number>()(timestamp)
        expectType<number | null>()(context.stores.sums.get(key))
        forward({ key: timestamp, value: value.carrier, headers })
      }
    })
    expectType<KStream<number, string, 'no serde', 'no serde'>>()(processed)
    const known = stream(flights).process('known', { key: string(), value: json<number>() }, (_, forward) => {
      return ({ key, value }) => forward({ key, value: value.distance })
    })
    expectType<KStream<string, number>>()(known)
    known.groupByKey().count('n')
    const silent = stream(flights).process('silent', () => () => {})
    expectType<KStream<never, never, 'no serde', 'no serde'>>()(silent)
    const wrong = () => {
      stream(flights).process('w1', { stores }, ({ stores: { sums, prices } }) => ({ key }) => {
        // @ts-expect-error a store holds other values
        sums.put(key, 'text')
        // @ts-expect-error a store has other keys
        prices.get(key)
      })
      stream(flights).process('w3', { stores }, (context) => () => {
        // @ts-expect-error the store was not declared
        context.stores.other
      })
      // @ts-expect-error what is forwarded was not said
      stream(flights).process('w4', (_, forward) => (record) => forward(record))
      // @ts-expect-error another value is forwarded
      stream(flights).process('w5', (_, forward: Forward<string, number>) => (record) => forward(record))
      // @ts-expect-error the value that is forwarded does not fit the topic
      processed.to(counts)
      // @ts-expect-error the serde of the keys is missing
      processed.groupByKey()
      // @ts-expect-error a processor has a name
      stream(flights).process(() => () => {})
      stream(flights).process('w6', ({ schedule }) => {
        // @ts-expect-error there is no such time
        schedule('1m', 'event-time', () => {})
        return () => {}
      })
      // @ts-expect-error windows are kept for some time
      windowStore(string(), json<number>(), { size: '1m' })
    }
    return wrong
  })
})

it('keeps keys where only values are forwarded', () => {
  job('j', {}, ({ stream }) => {
    const processed = stream(holed).processValues('v', (_, forward: ForwardValue<string>) => ({ key, value }) => {
      expectType<string | null>()(key)
      expectType<number | null>()(value)
      forward({ value: `${value}` })
    })
    expectType<KStream<string | null, string, 'serde', 'no serde'>>()(processed)
    const known = stream(flights).processValues('k', { value: json<number>() }, (_, forward) => {
      return ({ value }) => forward({ value: value.distance })
    })
    expectType<KStream<string, number>>()(known)
    known.to(counts)
    const wrong = () => {
      stream(flights).processValues('w1', (_, forward: ForwardValue<string>) => () => {
        // @ts-expect-error the key stays
        forward({ key: 'a', value: 'b' })
      })
      stream(flights).processValues('w2', { value: string() }, (_, forward) => ({ value }) => {
        // @ts-expect-error another value than the serde's
        forward({ value })
      })
    }
    return wrong
  })
})
