import { job, json, string, topic } from 'tidemark'
import { events, result, settings } from './work.ts'

const cheap = topic(result, { key: string(), value: json<{ amount: number }>() })

/** Passes on the events of less than fifty: half of them, as they are. */
export default job(result, settings, ({ stream }) => {
  stream(events)
    .filter(({ amount }) => amount < 50)
    .to(cheap)
})
