import type { Checkpoint, UnfinishedRun } from '../../core/checkpoint.ts'
import { partitionKey } from '../../core/offsets.ts'
import { parsePlan } from '../../planner/parse-plan.ts'
import type { Plan } from '../../planner/plan-types.ts'
import type { HistoryEvent } from '../../ports/history.ts'

/** What a cut says: all that is needed, beside the input and what else the history tells, to do the range again. */
export interface CutDetail {
  /** Where each planned partition started, by `topic/partition`. */
  readonly from: Readonly<Record<string, number>>
  /** Where every partition of the job stood when it was committed. */
  readonly offsets: Readonly<Record<string, number>>
  readonly advanceTo: number | null
  readonly closeWindows: boolean
  /** The run was in the middle of its range; its plan may be gone on with later, or was given up. */
  readonly partial?: true
  /** The range is the rest of one whose beginning was processed: floors were kept. */
  readonly goesOn?: true
  /** The run that was done again, where this was a replay. */
  readonly run?: string
  /** Of the job file that did it. */
  readonly jobHash?: string
  /** One of an endless run: it is merged with its neighbours later. */
  readonly endless?: true
  /** So many cuts as they were made. */
  readonly merged?: number
}

/** The end of a plan, where the commit that carries it leaves the job. `now` is the recorded clock, epoch ms. */
export function cutEvent(
  plan: Plan,
  { now, offsets, jobHash, endless }: Pick<CutDetail, 'offsets'> & { now: number; jobHash: string; endless: boolean },
): HistoryEvent {
  const { advanceTo, closeWindows, replays } = plan
  const detail: CutDetail = {
    from: startsOf(plan),
    offsets,
    advanceTo,
    closeWindows,
    jobHash,
    ...(replays === undefined ? {} : { run: replays.runId }),
    ...(replays?.whole === false ? { partial: true } : {}),
    ...(replays?.goesOn === true ? { goesOn: true } : {}),
    ...(endless ? { endless } : {}),
  }
  return { kind: 'cut', seq: 0, runId: null, at: now, detail: { ...detail } }
}

/** Where a run stopped whose plan is given up, as its last commit left it. */
function givenUpEvent(checkpoint: Checkpoint, { runId, plan, now }: UnfinishedRun): HistoryEvent {
  const { offsets, token } = checkpoint
  const detail: CutDetail = {
    from: startsOf(parsePlan(plan)),
    offsets,
    advanceTo: null,
    closeWindows: false,
    partial: true,
  }
  return { kind: 'cut', seq: token.seq, runId, at: now, detail: { ...detail } }
}

/** The same for a run that a checkpoint leaves unfinished and the next commit does not go on with. */
export function givenUp(checkpoint: Checkpoint | null): readonly HistoryEvent[] {
  const unfinished = checkpoint?.unfinished ?? null
  return checkpoint === null || unfinished === null ? [] : [givenUpEvent(checkpoint, unfinished)]
}

function startsOf(plan: Plan): Readonly<Record<string, number>> {
  return Object.fromEntries(plan.partitions.map(({ topic, partition, from }) => [partitionKey(topic, partition), from]))
}
