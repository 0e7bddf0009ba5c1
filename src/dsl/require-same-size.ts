import type { Serde } from '../serde/serde.ts'
import { innerSerde, windowSizeMs } from '../serde/windowed/windowed-serde.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'

/** Throws JOB_INVALID where the windows of keys are not all of the one size that the topic reads them with. */
export function requireSameSize(key: Serde<unknown> | null, topic: TopicSpec, where: Where | null): void {
  const readMs = windowSizeMs(topic.key)
  if (key === null || readMs === undefined || innerSerde(key) === undefined) return
  const sizeMs = windowSizeMs(key)
  if (sizeMs === readMs) return
  throw invalidJob(
    where,
    `the windows are ${sizeMs === undefined ? 'not all of one size' : `of ${sizeMs} ms`}, and the topic ${topic.name} reads them as ones of ${readMs} ms`,
    'The end of a window is not written: give timeWindowed the size of the windows, for sliding ones the difference; sessionWindowed and calendarWindowed write it.',
  )
}
