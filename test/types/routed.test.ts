import { job, json, type KStream, string, topic } from 'tidemark'
import { it } from 'vitest'
import { expectType } from './equal.ts'
import { counts, type Flight, flights, holed } from './topics.ts'

const fewer = topic('fewer-counts', { key: string(), value: json<number>() })
const others = topic('other-counts', { key: string(), value: json<number>() })

it('infers the branches of a split by name, narrowed by what the predicates say', () => {
  job('j', {}, ({ stream }) => {
    const { missing, low, rest } = stream(holed)
      .split()
      .branch('missing', (value): value is null => value === null)
      .branch('low', (value, key) => {
        expectType<number>()(value)
        expectType<string | null>()(key)
        return value < 5
      })
      .defaultBranch('rest')
    expectType<KStream<string | null, null>>()(missing)
    expectType<KStream<string | null, number>>()(low)
    expectType<KStream<string | null, number>>()(rest)
    low
      .filter((_, key) => key !== null)
      .groupByKey()
      .count('n')
    const { late } = stream(flights)
      .split()
      .branch('late', (flight) => flight.distance > 100)
      .noDefaultBranch()
    expectType<KStream<string, Flight>>()(late)
    const wrong = () => {
      const split = stream(flights)
        .split()
        .branch('one', () => true)
      // @ts-expect-error the name is taken
      split.branch('one', () => true)
      // @ts-expect-error there is no such branch
      split.noDefaultBranch().two
      // @ts-expect-error a branch has a name
      split.branch(() => true)
    }
    return wrong
  })
})

it('asks for what an exchange needs', () => {
  job('j', {}, ({ stream }) => {
    expectType<KStream<string, Flight>>()(stream(flights).repartition('as-it-is'))
    const rekeyed = stream(flights).selectKey((flight) => flight.distance)
    const exchanged = rekeyed.repartition('by-distance', { key: json<number>() })
    expectType<KStream<number, Flight>>()(exchanged)
    const mapped = stream(flights).mapValues((flight) => flight.distance)
    expectType<KStream<string, number, 'serde', 'no serde'>>()(mapped.repartition('no-values'))
    expectType<KStream<string, number>>()(mapped.repartition('values', { value: json<number>() }))
    const wrong = () => {
      // @ts-expect-error the serde of the new keys is missing
      rekeyed.repartition('by-distance')
      // @ts-expect-error the serde is one of other keys
      rekeyed.repartition('by-distance', { key: string() })
      // @ts-expect-error an exchange that was asked for has a name
      stream(flights).repartition()
    }
    return wrong
  })
})

it('sends to topics that fit, whichever is chosen', () => {
  job('j', {}, ({ stream }) => {
    stream(counts).to([fewer, others], (value, key, { timestamp }) => {
      expectType<number>()(value)
      expectType<string>()(key)
      return timestamp > 5 ? fewer : others
    })
    stream(counts).foreach((value, key) => {
      expectType<number>()(value)
      expectType<string>()(key)
    })
    stream(counts).print('counts')
    const wrong = () => {
      // @ts-expect-error one of the topics holds something else
      stream(counts).to([counts, flights], () => counts)
      // @ts-expect-error the topic is not one of those
      stream(counts).to([counts], () => flights)
      // @ts-expect-error nothing is chosen
      stream(counts).to([counts, others])
      // @ts-expect-error the values may be null
      stream(holed).to([counts], () => counts)
      // @ts-expect-error what is printed has a label
      stream(counts).print()
      // @ts-expect-error nothing follows
      stream(counts).foreach(() => undefined).groupByKey
    }
    return wrong
  })
})
