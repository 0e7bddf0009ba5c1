/** The topic that holds a store of the live generation outside: a partition for each task. */
export function changelogTopic(job: string, generation: string, store: string): string {
  return `${job}-${generation}-${store}${SUFFIX}`
}

const SUFFIX = '-changelog'

/**
 * The other jobs that could call a changelog of theirs so, since names may have dashes: `a-b-c-d-changelog` is of `a`, of `a-b`,
 * or of nobody. Sorted from the shortest.
 */
export function otherJobsOf(topic: string, job: string): readonly string[] {
  const words = topic.slice(0, -SUFFIX.length).split('-')
  const jobs: string[] = []
  for (let end = 1; end < words.length - 1; end++) {
    const name = words.slice(0, end).join('-')
    const [generation, store] = [words.slice(end, -1).join('-'), words.slice(end + 1).join('-')]
    if (name !== job && /^[A-Za-z0-9]/.test(name) && generation !== '' && store !== '') jobs.push(name)
  }
  return jobs
}
