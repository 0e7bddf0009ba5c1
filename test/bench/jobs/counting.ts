import { job, json, string, topic } from 'tidemark'

const events = topic('events', { key: string(), value: json<{ amount: number }>() })
const counts = topic('counts', { key: string(), value: json<number>() })

export default job('counting', {}, ({ stream }) => {
  stream(events).groupByKey().count('counts').to(counts)
})
