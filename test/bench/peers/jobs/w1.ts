import { job, json, string, topic } from 'tidemark'
import { events, result, settings } from './work.ts'

const counts = topic(result, { key: string(), value: json<number>() })

/** Counts the events of each key. */
export default job(result, settings, ({ stream }) => {
  const counted = stream(events).groupByKey().count('counts')
  if (settings.changelog) counted.to(counts)
})
