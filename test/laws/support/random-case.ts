import fc from 'fast-check'
import { hopping, type Job, type JobBuilder, job, string, sum, tumbling } from 'tidemark'
import { JOIN_SHAPES } from './join-shapes.ts'
import { INPUT, type Item, LATE_OUT, STREAM_OUT, TABLE, TABLE_OUT } from './topics.ts'
import { WINDOW_SHAPES } from './window-shapes.ts'

const SHAPES = ['count', 'regrouped', 'windows', 'windows-closed', 'joined', 'regrouped-table', 'chained'] as const

/** Shapes that have a file of their own. */
const MORE_SHAPES = { ...JOIN_SHAPES, ...WINDOW_SHAPES }

type MoreShape = keyof typeof MORE_SHAPES

/** A topology, as data: what a failing run prints. */
export interface JobSpec {
  readonly shape: (typeof SHAPES)[number] | MoreShape
  readonly size: number
  readonly advance: number
  readonly grace: number
  readonly sliceRecords: number
  readonly cacheEntries: number
}

export interface RandomRecord {
  readonly topic: 'in' | 'tab'
  readonly partition: number
  readonly key: string | null
  readonly value: Item | number | null
  readonly timestamp: number
}

/** A job, its input, and where it is cut. */
export interface RandomCase {
  readonly spec: JobSpec
  readonly partitions: number
  readonly records: readonly RandomRecord[]
}

/** All of them. */
export const ALL_SHAPES = [...SHAPES, ...(Object.keys(MORE_SHAPES) as MoreShape[])] as const

/** How large, how often and how late, whatever the shape. */
export const MEASURES = fc
  .record({
    size: fc.integer({ min: 2, max: 6 }),
    advance: fc.integer({ min: 1, max: 6 }),
    grace: fc.nat(4),
    sliceRecords: fc.integer({ min: 1, max: 30 }),
    cacheEntries: fc.constantFrom(2, 5, 1000),
  })
  .map((spec) => ({ ...spec, advance: Math.min(spec.advance, spec.size) }))

const SPEC: fc.Arbitrary<JobSpec> = fc
  .tuple(MEASURES, fc.constantFrom(...ALL_SHAPES))
  .map(([measures, shape]) => ({ ...measures, shape }))

const KEY = fc.constantFrom('a', 'b', 'c', 'é')
const ITEM = fc.record({ n: fc.integer({ min: -5, max: 5 }), group: fc.constantFrom('x', 'y', 'z') })

/** Steps mostly forward in time, now and then back. */
const RECORD = fc.record({
  topic: fc.constantFrom('in' as const, 'in' as const, 'in' as const, 'tab' as const),
  partition: fc.nat(2),
  key: fc.option(KEY, { freq: 12 }),
  item: fc.option(ITEM, { freq: 12 }),
  row: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 5 }),
  step: fc.integer({ min: -16, max: 18 }),
})

/** So many records, in the partitions from 0 to 2. */
export const recordsOfLength = (minLength: number, maxLength: number): fc.Arbitrary<readonly RandomRecord[]> =>
  fc.array(RECORD, { minLength, maxLength, size: 'max' }).map((steps) => {
    let time = 20
    return steps.map(({ topic, partition, key, item, row, step }) => {
      time = Math.max(0, time + step)
      return { topic, partition, key, value: topic === 'in' ? item : row, timestamp: time }
    })
  })

export const CASE: fc.Arbitrary<RandomCase> = fc
  .record({ spec: SPEC, partitions: fc.integer({ min: 1, max: 3 }), records: recordsOfLength(1, 40) })
  .map(({ spec, partitions, records }) => ({
    spec,
    partitions,
    records: records.map((record) => ({ ...record, partition: record.partition % partitions })),
  }))

/** The job that a spec describes. It is named the same for all, so that states can be compared. */
export function jobOf(spec: JobSpec): Job {
  const { sliceRecords, cacheEntries } = spec
  return job('random', { sliceRecords, cacheEntries }, (builder) => buildShape(builder, spec))
}

/** Builds the topology of a spec. */
export function buildShape(builder: JobBuilder, spec: JobSpec): void {
  const { grace } = spec
  const { stream, table } = builder
  const items = () => stream(INPUT).filter((value) => value !== null)
  const total = () => sum((item: Item) => item.n)
  switch (spec.shape) {
    case 'count': {
      const counts = stream(INPUT).groupByKey().count('counts')
      counts.to(TABLE_OUT)
      counts.toStream().to(STREAM_OUT)
      break
    }
    case 'regrouped': {
      const sums = items()
        .groupBy((item) => item.group, string())
        .aggregate('sums', total())
      sums.to(TABLE_OUT)
      sums.toStream().to(STREAM_OUT)
      break
    }
    case 'windows':
    case 'windows-closed': {
      const windows = hopping(spec.size, { advance: spec.advance, grace, retention: spec.size + grace + 5 })
      const emit = spec.shape === 'windows' ? 'on-update' : 'on-window-close'
      const sums = items().groupByKey().windowedBy(windows).aggregate('windows', total(), { emit })
      sums.late().to(LATE_OUT)
      sums
        .toStream()
        .selectKey((_, { key, start }) => `${key}@${start}`, string())
        .to(STREAM_OUT)
      break
    }
    case 'joined':
      items()
        .leftJoin(table(TABLE), (item, row) => ({ ...item, row }))
        .to(STREAM_OUT)
      break
    case 'regrouped-table': {
      const sums = table(TABLE, 'rows')
        .groupBy((row) => [row % 2 === 0 ? 'even' : 'odd', row], string())
        .aggregate(
          'by-parity',
          sum((row: number) => row),
        )
      sums.to(TABLE_OUT)
      sums.toStream().to(STREAM_OUT)
      break
    }
    case 'chained':
      items()
        .groupBy((item) => item.group, string())
        .windowedBy(tumbling(spec.size, { grace }))
        .count('by-group')
        .toStream()
        .groupBy((_, { start }) => `from ${start}`, string())
        .count('updates')
        .toStream()
        .to(STREAM_OUT)
      break
    default:
      MORE_SHAPES[spec.shape](builder, spec)
  }
}
