import { job, json, string, topic } from 'tidemark'

const events = topic('events', { key: string(), value: json<{ amount: number }>() })
const none = topic('none', { key: string(), value: json<{ amount: number }>() })

/** Reads keys and keeps nothing: what is left of a run where there is no state. */
export default job('reading', {}, ({ stream }) => {
  stream(events)
    .filter((_, key) => key === '')
    .to(none)
})
