import {
  calendar,
  count,
  type Forward,
  job,
  json,
  keyValueStore,
  session,
  sliding,
  string,
  topic,
  tumbling,
  untilTimeLimit,
  untilWindowCloses,
  versionedStore,
  windowStore,
} from 'tidemark'

const key = string()
const clicks = topic('clicks', { key, value: json<number>() })
const taps = topic('taps', { key, value: json<number>() })
const few = topic('few', { key, value: json<number>() })
const many = topic('many', { key, value: json<number>() })

/** Windows of every kind, suppression, cogroups, branches, exchanges by name and processors. */
export const windowing = job('windowing', {}, ({ stream, table }) => {
  const grouped = stream(clicks).groupByKey()
  grouped
    .windowedBy(session('30m', { grace: '5m' }))
    .count('visits')
    .suppress('final-visits', untilWindowCloses())
  grouped.windowedBy(sliding('10m')).aggregate('bursts', count(), { emit: 'on-window-close' })
  grouped.windowedBy(calendar('week', { zone: 'Europe/Berlin', grace: '1d' })).count('weeks')
  grouped
    .cogroup((total: number, clicked) => total + clicked)
    .cogroup(stream(taps).groupByKey(), (total, tapped) => total + tapped)
    .windowedBy(tumbling('1h'))
    .aggregate('contacts', { init: () => 0, serde: json<number>() })
  table(topic('prices', { key, value: json<number>() }), 'prices')
    .suppress('quiet-prices', untilTimeLimit('1m', { maxRecords: 1000, maxBytes: 1_000_000 }))
    .toStream((price) => `${price}`, string())
    .repartition('by-price')
    .print('price')
  const { left, right } = stream(taps)
    .split()
    .branch('left', (tap) => tap < 0)
    .defaultBranch('right')
  left.foreach(() => undefined)
  right.to([few, many], (tap) => (tap < 10 ? few : many))
  const stores = {
    seen: windowStore(key, json<number>(), { size: '1m', retention: '1h' }),
    prices2: versionedStore(key, json<number>(), { historyRetention: '1d' }),
  }
  stream(taps)
    .process('seen-before', { stores, key }, (_, forward: Forward<string, number>) => forward)
    .processValues('totals', { stores: { totals: keyValueStore(key, json<number>()) } }, () => () => undefined)
})
