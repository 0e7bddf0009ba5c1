import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import type { WindowSpec } from '../topology/windows.ts'
import type { Step } from './step.ts'

/**
 * How long after its end a window of the table closes, ms: that of the windowed aggregates above it, the longest where
 * there are several. Throws JOB_INVALID where a way up leads to none.
 */
export function windowWaitMs({ draft, node }: Pick<Step, 'draft' | 'node'>, name: string, where: Where | null): number {
  const { settings, parents } = draft.nodes[node] ?? { parents: [] }
  if (settings?.kind === 'windowed-aggregate') return waitAfterEnd(settings.windows)
  if (parents.length > 0)
    return Math.max(...parents.map((parent) => windowWaitMs({ draft, node: parent }, name, where)))
  throw invalidJob(
    where,
    `the windows of ${name} do not close in this job`,
    'Suppress the table of a windowed aggregate, or one that is made of it.',
  )
}

function waitAfterEnd(windows: WindowSpec): number {
  return windows.kind === 'session' ? windows.gapMs + windows.graceMs : windows.graceMs
}
