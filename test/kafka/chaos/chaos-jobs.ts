import { type Job, job, json, string, sum, topic } from 'tidemark'

/** One event. Its time and its partition leave open which of two comes first. */
export interface Event {
  readonly id: number
  readonly n: number
}

/** What the jobs of a test are called, and what they read and write. */
export interface ChaosNames {
  readonly input: string
  /** Of this copy of the jobs. */
  readonly copy: string
}

const OFTEN = { schedule: '*/2 * * * * *', sliceRecords: 50, retry: { attempts: 2, backoff: '100ms' } } as const

const events = ({ input }: ChaosNames) => topic(input, { key: string(), value: json<Event>() })

/** The outputs: a table of sums, and every record as it came. */
export const addingOutputs = ({ copy }: ChaosNames) => ({ sums: `sums-${copy}`, copies: `copies-${copy}` })

/** What it comes to is the same in whatever order records of different keys come. */
export function adding(names: ChaosNames): Job {
  const { sums, copies } = addingOutputs(names)
  return job(`adding-${names.copy}`, OFTEN, ({ stream }) => {
    const all = stream(events(names))
    all
      .groupByKey()
      .aggregate(
        'sums',
        sum(({ n }) => n),
      )
      .to(topic(sums, { key: string(), value: json<number>() }))
    all.to(topic(copies, { key: string(), value: json<Event>() }))
  })
}

export const chainingOutput = ({ copy }: ChaosNames) => `chain-${copy}`

/** Every result depends on all that came before, and in which order. */
export function chaining(names: ChaosNames): Job {
  return job(`chaining-${names.copy}`, OFTEN, ({ stream }) => {
    stream(events(names))
      .selectKey(() => 'all', string())
      .groupByKey()
      .aggregate('chain', {
        init: () => 7,
        add: (chain: number, { id }: Event) => (chain * 31 + id) % 1_000_003,
        serde: json<number>(),
      })
      .toStream()
      .to(topic(chainingOutput(names), { key: string(), value: json<number>() }))
  })
}
