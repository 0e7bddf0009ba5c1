import { type PartitionRange, partitionKey } from '../../core/offsets.ts'
import { offsetsAtTime } from '../../planner/time-bound.ts'
import { jobInputs } from '../input/job-inputs.ts'
import { planJob } from '../job-plan.ts'
import type { Session } from '../session.ts'
import type { History } from './history.ts'
import type { HistoryStep, RangeStep } from './history-step.ts'
import type { StepsToReplay } from './steps-to-replay.ts'

/**
 * Adds to the steps what a history cannot tell: of topics that the session's job reads and the other one never has, each
 * range reads the records that were written before its clock; and of a state that was restored from changelogs, all that
 * went before is one range.
 */
export async function withNewTopics(
  session: Session,
  history: History,
  told: readonly HistoryStep[],
): Promise<StepsToReplay> {
  const known = new Set(
    history.steps.flatMap((step) => (step.kind === 'range' ? step.ranges : [])).map(({ topic }) => topic),
  )
  for (const key of Object.keys(history.checkpoint.offsets)) known.add(key.slice(0, key.lastIndexOf('/')))
  const unknown = jobInputs(session.loaded.job)
    .map(({ topic }) => topic.name)
    .filter((topic) => !known.has(topic))
  const restored = session.checkpoint === null && told[0]?.kind !== 'reset' ? history.restored : null
  if (unknown.length === 0 && restored === null)
    return { steps: told, notices: [], topicIds: history.checkpoint.topicIds }
  const { plan } = await planJob(
    session.env,
    session.loaded,
    { trigger: 'replay' },
    {
      generation: session.generation.name,
      kind: 'live',
      checkpoint: null,
      liveCheckpoint: null,
      now: session.env.clock.now(),
    },
  )
  const topicIds = { ...plan.topicIds, ...history.checkpoint.topicIds }
  const first = restored === null ? [] : [untilRestored(restored, plan.partitions)]
  const starts = plan.partitions.filter(({ topic }) => unknown.includes(topic))
  const steps = await withRanges(session, [...first, ...told], starts)
  const notices = [
    ...(restored === null
      ? []
      : ['the history begins where the state was restored from changelogs: what was read before is one range']),
    ...unknown.map(
      (topic) => `the history does not know topic ${topic}: each run reads what was written before its time`,
    ),
  ]
  return { steps, notices, topicIds }
}

/** It is of no run: the row of one that was under way has begun anew there, and so have its digests. */
function untilRestored(
  { seq, at, offsets, runUnderWay }: NonNullable<History['restored']>,
  starts: readonly PartitionRange[],
): RangeStep {
  const ranges = starts.map((range) => {
    const to = offsets[partitionKey(range.topic, range.partition)] ?? range.from
    return { ...range, from: Math.min(range.from, to), to }
  })
  const nothing = { leftOut: [], gaps: [], accepted: [], gone: [], addedStores: [] }
  const end = { advanceTo: null, closeWindows: false, merged: 1, whole: runUnderWay === null, goesOn: false }
  return { kind: 'range', seq, at, runId: '', rowId: '', jobHash: '', ranges, ...end, ...nothing }
}

async function withRanges(
  { env, loaded, checkpoint }: Session,
  steps: readonly HistoryStep[],
  starts: readonly PartitionRange[],
): Promise<readonly HistoryStep[]> {
  if (starts.length === 0) return steps
  const { isolation } = loaded.job.settings
  let stands = starts.map((range) => {
    return { ...range, from: checkpoint?.offsets[partitionKey(range.topic, range.partition)] ?? range.from }
  })
  const filled: HistoryStep[] = []
  for (const step of steps) {
    if (step.kind !== 'range') {
      filled.push(step)
      continue
    }
    const ends = await offsetsAtTime(env.log, stands, step.at, { isolation, latest: Number.POSITIVE_INFINITY })
    const ranges = stands.map(({ topic, partition, from }, index) => ({
      topic,
      partition,
      from,
      to: ends[index] ?? from,
    }))
    filled.push({ ...step, ranges: [...step.ranges, ...ranges] })
    stands = stands.map((range, index) => ({ ...range, from: ends[index] ?? range.from }))
  }
  return filled
}
