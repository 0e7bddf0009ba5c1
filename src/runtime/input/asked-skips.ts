import { TidemarkError } from '../../core/errors.ts'
import type { LoadedJob } from '../loaded-job.ts'
import { recordKey } from './input-source.ts'
import { jobInputs } from './job-inputs.ts'

/** The records that a request leaves out, each as its record key. Throws USAGE for what is no record of an input. */
export function askedSkips({ job }: LoadedJob, skips: readonly string[]): readonly string[] {
  const topics = jobInputs(job).map(({ topic }) => topic.name)
  return skips.map((text) => {
    const [, topic = '', partition, offset] = /^([^/]+)\/(\d{1,9})@(\d{1,15})$/.exec(text) ?? []
    if (topic === '') {
      throw new TidemarkError('USAGE', `--skip ${JSON.stringify(text)} is not TOPIC/PARTITION@OFFSET`, {
        hint: `For instance --skip ${topics[0] ?? 'topic'}/0@12.`,
      })
    }
    if (topics.includes(topic)) return recordKey(topic, Number(partition), Number(offset))
    throw new TidemarkError('USAGE', `--skip ${text}: job ${job.name} does not read that topic`, {
      hint: `It reads ${topics.join(', ')}.`,
    })
  })
}
