import {
  approxDistinctCount,
  approxQuantiles,
  collect,
  count,
  distinctCount,
  first,
  hopping,
  last,
  type MergeableSpec,
  max,
  mean,
  min,
  type ReadySpec,
  session,
  string,
  sum,
  topK,
  variance,
} from 'tidemark'
import { type OperatorShape, perWindow } from './operator-shape.ts'
import { INPUT, type Item, STREAM_OUT } from './topics.ts'

/** Thirds, which no number holds exactly: the order of adding and taking back is to be seen. Now and then none. */
const third = ({ n }: Item) => (n === 5 ? null : n / 3)
const group = ({ n, group }: Item) => (n === 4 ? null : group)

/** An aggregate of a key, of its windows and of its sessions. */
function folded<A, R>(spec: MergeableSpec<string, Item, A, A, R>, show = (result: unknown) => result): OperatorShape {
  return ({ stream }, { size, advance, grace }) => {
    const grouped = stream(INPUT)
      .filter((value) => value !== null)
      .groupByKey()
    grouped.aggregate('plain', spec).toStream().mapValues(show).to(STREAM_OUT)
    perWindow(
      grouped
        .windowedBy(hopping(size * 4, { advance: advance * 4, grace }))
        .aggregate('windows', spec)
        .toStream()
        .mapValues(show),
    )
    perWindow(
      grouped
        .windowedBy(session(size * 2, { grace }))
        .aggregate('sessions', spec)
        .toStream()
        .mapValues(show),
    )
  }
}

/** The same, and of a table that is regrouped. */
function regrouped<A, R>(spec: ReadySpec<string, Item, A, A, R>, show = (result: unknown) => result): OperatorShape {
  return (builder, measures) => {
    folded(spec, show)(builder, measures)
    builder
      .stream(INPUT)
      .filter((value) => value !== null)
      .toTable('items')
      .groupBy((item) => [item.group, item], string())
      .aggregate('regrouped', spec)
      .toStream()
      .mapValues(show)
      .to(STREAM_OUT)
  }
}

/** Every ready aggregate. */
export const AGGREGATE_SHAPES = {
  'aggregate count': regrouped(count()),
  'aggregate sum': regrouped(sum(third)),
  'aggregate sum of bigints': regrouped(
    sum(({ n }: Item) => BigInt(n) * 2n ** 60n),
    String,
  ),
  'aggregate mean': regrouped(mean(third)),
  'aggregate variance': regrouped(variance(third)),
  'aggregate distinctCount': regrouped(distinctCount(third)),
  'aggregate min': folded(min(third)),
  'aggregate max': folded(max(third)),
  'aggregate first': folded(first(group)),
  'aggregate last': folded(last(group)),
  'aggregate topK': folded(topK(3, third, ({ group }) => group)),
  'aggregate collect': folded(collect(4, group, { whenFull: 'keep-last' })),
  'aggregate approxDistinctCount': folded(approxDistinctCount(third, { error: 0.45 })),
  'aggregate approxQuantiles': folded(approxQuantiles(third, { low: 0.2, high: 0.8 })),
} satisfies Readonly<Record<string, OperatorShape>>
