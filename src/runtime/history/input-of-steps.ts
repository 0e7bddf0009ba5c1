import { TidemarkError } from '../../core/errors.ts'
import { type PartitionRange, partitionKey, partitionsOf } from '../../core/offsets.ts'
import type { DataLossPolicy } from '../../planner/data-loss-policy.ts'
import { listSome } from '../../planner/list-some.ts'
import type { PartitionBounds } from '../../ports/log.ts'
import { jobInputs } from '../input/job-inputs.ts'
import type { Session } from '../session.ts'
import type { History } from './history.ts'
import type { HistoryStep, RangeStep } from './history-step.ts'

/** What of the input that steps have read the log still has. */
export interface FoundInput {
  readonly steps: readonly HistoryStep[]
  readonly notices: readonly string[]
}

interface Loss {
  readonly range: PartitionRange
  readonly code: 'INPUT_LOST' | 'INPUT_REPLACED'
  readonly sentence: string
}

/** Throws INPUT_LOST or INPUT_REPLACED for what is gone, all of it named; under `skip` the steps go on without. */
export async function inputOfSteps(
  session: Session,
  history: History,
  steps: readonly HistoryStep[],
  onDataLoss: DataLossPolicy,
): Promise<FoundInput> {
  const { env, loaded } = session
  const read = new Set(jobInputs(loaded.job).map(({ topic }) => topic.name))
  const wanted = new Set(steps.flatMap((step) => (step.kind === 'range' ? step.ranges : [])).map(({ topic }) => topic))
  const known = await env.log.describe([...wanted].filter((topic) => read.has(topic)))
  const partitions = known.flatMap(({ name, partitions: count }) => partitionsOf(name, count))
  const bounds = await env.log.bounds(partitions, loaded.job.settings.isolation)
  const there = new Map(bounds.map((bound) => [partitionKey(bound.topic, bound.partition), bound]))
  const ids = history.checkpoint.topicIds
  const replaced = new Set(known.filter(({ name, id }) => (ids[name] ?? id) !== id).map(({ name }) => name))
  const losses: Loss[] = []
  const found = steps.map((step) => {
    if (step.kind !== 'range') return step
    const lost = step.ranges.flatMap((range) => (read.has(range.topic) ? lossesOf(step, range, there, replaced) : []))
    losses.push(...lost)
    return lost.length === 0 ? step : without(step, lost)
  })
  if (losses.length > 0 && onDataLoss === 'fail') throw lostInput(loaded.job.name, losses)
  return { steps: found, notices: [...new Set(losses.map(({ sentence }) => `${sentence}: replayed without it`))] }
}

function lossesOf(
  step: RangeStep,
  range: PartitionRange,
  there: ReadonlyMap<string, PartitionBounds>,
  replaced: ReadonlySet<string>,
): Loss[] {
  const { topic, partition, from, to } = range
  if (from >= to) return []
  const name = `${topic}[${partition}]`
  if (step.gone.includes(topic) || replaced.has(topic)) {
    return [
      { range, code: 'INPUT_REPLACED', sentence: `${name}: offsets ${from} to ${to} were of a topic made again since` },
    ]
  }
  const bounds = there.get(partitionKey(topic, partition))
  if (bounds === undefined) return [{ range, code: 'INPUT_LOST', sentence: `${name} is not there any more` }]
  const losses: Loss[] = []
  if (from < bounds.start) {
    const sentence = `${name}: the log starts at ${bounds.start}, the history at ${from}`
    losses.push({ range: { ...range, to: Math.min(to, bounds.start) }, code: 'INPUT_LOST', sentence })
  }
  if (to > bounds.highWatermark) {
    const sentence = `${name}: the log ends at ${bounds.highWatermark}, the history at ${to}`
    losses.push({ range: { ...range, from: Math.max(from, bounds.highWatermark) }, code: 'INPUT_LOST', sentence })
  }
  return losses
}

/** The step with what is lost as gaps. Losses lie at the ends of its ranges. */
function without(step: RangeStep, losses: readonly Loss[]): RangeStep {
  const ranges = step.ranges.map((range) => {
    let { from, to } = range
    for (const { range: lost } of losses) {
      if (lost.topic !== range.topic || lost.partition !== range.partition) continue
      if (lost.from <= from) from = Math.max(from, lost.to)
      else to = Math.min(to, lost.from)
    }
    return { ...range, from: Math.min(from, range.to), to: Math.max(from, to) }
  })
  return { ...step, ranges, gaps: [...step.gaps, ...losses.map(({ range }) => range)] }
}

function lostInput(job: string, losses: readonly Loss[]): TidemarkError {
  const sentences = [...new Set(losses.map(({ sentence }) => sentence))]
  const [first] = losses
  return new TidemarkError(
    first?.code ?? 'INPUT_LOST',
    `the history cannot be replayed: ${listSome(sentences, '; ')}`,
    {
      hint: 'Input that has expired cannot be read again: put it back, or replay without it where --on-data-loss skip is offered.',
      at: { job, ...(first === undefined ? {} : { topic: first.range.topic, partition: first.range.partition }) },
    },
  )
}
