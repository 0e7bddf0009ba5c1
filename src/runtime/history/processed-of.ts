import type { PartitionRange } from '../../core/offsets.ts'
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
  const gaps = gapsByRun(file)
  return [...untold, ...processedRanges(rows).flatMap((range) => without(range, gaps.get(range.runId) ?? []))]
}

/** What was lost within the range of a run, by run: that of a stream goes on behind it. */
function gapsByRun(file: StateFile): ReadonlyMap<string, readonly PartitionRange[]> {
  const gaps = new Map<string, PartitionRange[]>()
  for (const { kind, runId, detail } of file.events()) {
    if (kind !== 'gap' || runId === null) continue
    const known = gaps.get(runId) ?? []
    gaps.set(runId, known)
    known.push(detail as unknown as PartitionRange) // as the plan has written it
  }
  return gaps
}

function without(range: ProcessedRange, gaps: readonly PartitionRange[]): readonly ProcessedRange[] {
  let left: readonly ProcessedRange[] = [range]
  for (const { topic, partition, from, to } of gaps) {
    if (topic !== range.topic || partition !== range.partition) continue
    left = left
      .flatMap((each) => [
        { ...each, to: Math.min(each.to, from) },
        { ...each, from: Math.max(each.from, to) },
      ])
      .filter((each) => each.from < each.to)
  }
  return left
}
