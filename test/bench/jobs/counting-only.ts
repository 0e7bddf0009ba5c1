import { job, json, string, topic } from 'tidemark'

const events = topic('events', { key: string(), value: json<{ amount: number }>() })

/** Counts by key, and publishes nothing. */
export default job('counting-only', {}, ({ stream }) => {
  stream(events).groupByKey().count('counts')
})
