import type { Serde } from '../serde/serde.ts'
import { windowSizeMs } from '../serde/windowed/windowed-serde.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'

/** Throws JOB_INVALID where keys have windows of one size, and the topic's are read as windows of another one. */
export function requireSameSize(key: Serde<unknown> | null, topic: TopicSpec, where: Where | null): void {
  const sizeMs = key === null ? undefined : windowSizeMs(key)
  const readMs = windowSizeMs(topic.key)
  if (sizeMs === undefined || readMs === undefined || sizeMs === readMs) return
  throw invalidJob(
    where,
    `the windows are of ${sizeMs} ms, and the topic ${topic.name} reads them as ones of ${readMs} ms`,
    'The end of a window is not written: give timeWindowed the size of the windows, for sliding ones the difference.',
  )
}
