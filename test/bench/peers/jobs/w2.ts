import { job, json, mean, serde, topic, tumbling, type Windowed } from 'tidemark'
import { events, result, settings } from './work.ts'

const window = serde<Windowed<string>>({
  format: 'key@start',
  encode: ({ key, start }) => Buffer.from(`${key}@${start}`),
  decode: (bytes) => {
    const [key = '', start = ''] = Buffer.from(bytes).toString().split('@')
    return { key, start: Number(start), end: Number(start) + 300_000 }
  },
})
const means = topic(result, { key: window, value: json<number>() })

/** The mean amount of each key in windows of five minutes. */
export default job(result, settings, ({ stream }) => {
  const averaged = stream(events)
    .groupByKey()
    .windowedBy(tumbling('5m', { grace: '24h' }))
    .aggregate(
      'means',
      mean(({ amount }) => amount),
    )
  if (settings.changelog) averaged.to(means)
})
