import { type Job, job, json, string, topic } from 'tidemark'

/** Its code rejects a promise that nobody awaits. */
const rejecting: Job = job('rejecting', {}, ({ stream }) => {
  stream(topic('in', { key: string(), value: json<number>() }))
    .peek(() => {
      void Promise.reject(new Error('nobody waits for this'))
    })
    .groupByKey()
    .count('counts')
})

// biome-ignore lint/style/noDefaultExport: a job file is loaded by its default export
export default rejecting
