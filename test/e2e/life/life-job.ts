/** Topics of the job, which may be on a log that others use too. */
export interface LifeTopics {
  readonly purchases: string
  readonly totals: string
  readonly even: string
}

/**
 * The job's file. Its results are the same wherever runs end, so that a model that knows of no runs can tell them; each
 * version is another file with the same results.
 */
export function lifeJob(job: string, topics: LifeTopics, version: number): string {
  return `
import { job, json, session, string, sum, topic, tumbling } from 'tidemark'

const purchases = topic('${topics.purchases}', { key: string(), value: json() })
const totals = topic('${topics.totals}', { key: string(), value: json() })
const even = topic('${topics.even}', { key: string(), value: json() })

/** Version ${version}. */
export default job('${job}', { sliceRecords: 7 }, ({ stream }) => {
  const made = stream(purchases)
  made.groupByKey().aggregate('spent', sum(({ cents }) => cents)).to(totals, { owner: true })
  made.groupByKey().windowedBy(tumbling('10s', { grace: '100d' })).count('hourly')
  made.groupByKey().windowedBy(session('3s', { grace: '100d' })).count('visits')
  made.filter(({ cents }) => cents % 2 === 0).to(even)
})
`
}
