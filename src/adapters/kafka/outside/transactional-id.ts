/**
 * The transactional id of a job's way out under `key`, which is `live` or a generation. No two of them share one: a dot
 * ends the name of the job, so a name that has dots is written with slashes, which no name has.
 */
export function transactionalIdOf(job: string, key: string): string {
  const id = `tidemark.${job.replaceAll('.', '/')}`
  return key === 'live' ? id : `${id}.${key}`
}
