import { type ProcessedRange, processedRanges } from '../../planner/processed-range.ts'
import type { StateFile } from '../../ports/state-file.ts'
import { readHistory } from './history.ts'

/** What a generation has processed, by runs whose rows are kept and, from its history, by those whose rows are gone. */
export function processedOf(file: StateFile): readonly ProcessedRange[] {
  const rows = file.runs()
  const known = new Set(rows.map(({ runId }) => runId))
  const history = readHistory('', file)
  const untold = (history?.steps ?? []).flatMap((step) => {
    if (step.kind !== 'range' || known.has(step.rowId)) return []
    return step.ranges
      .filter(({ from, to }) => from < to)
      .map(({ topic, partition, from, to }) => {
        const topicId = step.gone.includes(topic) ? '' : (history?.checkpoint.topicIds[topic] ?? '')
        return { topic, partition, from, to, runId: step.rowId, topicId }
      })
  })
  return [...untold, ...processedRanges(rows)]
}
