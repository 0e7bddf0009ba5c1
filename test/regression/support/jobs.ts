import { type Job, type JobOptions, job, json, string, topic } from 'tidemark'

export const IN = topic('in', { key: string(), value: json<number>(), nullKey: true, nullValue: true })
export const OUT = topic('out', { key: string(), value: json<unknown>(), nullKey: true, nullValue: true })

/** Counts the records of each key of `in` in the store `counts`, and sends every count to `out`. */
export function counting(options: JobOptions = {}): Job {
  return job('counting', options, ({ stream }) => {
    stream(IN).groupByKey().count('counts').toStream().to(OUT)
  })
}
