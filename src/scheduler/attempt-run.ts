import type { RunEnd } from '../ports/run-launcher.ts'
import type { Asked } from './run-verdict.ts'
import type { ScheduledJob } from './scheduled-job.ts'
import type { SchedulerEnvironment } from './scheduler-environment.ts'
import type { SlotOrder } from './slot-order.ts'

/** How long a run that was asked to stop may take to the end of its slice before it is killed. */
const PATIENCE_MS = 60_000

/** How an attempt ended. */
export interface AttemptEnd {
  readonly end: RunEnd
  /** Who asked it to stop, if anybody did. */
  readonly asked: Asked | null
}

/** Has one run made, and waits for its end. `stop` is the end of the scheduler, `newerSlot` that of this run only. */
export async function attemptRun(
  { launcher, alarms, clock }: SchedulerEnvironment,
  { command, settings }: ScheduledJob,
  { trigger, until }: SlotOrder,
  { stop, newerSlot }: { readonly stop: AbortSignal; readonly newerSlot: AbortSignal },
): Promise<AttemptEnd> {
  const advanceTime = settings.advanceTime && until !== null
  const run = launcher.launch({ job: command, trigger, until, advanceTime })
  const ended = new AbortController()
  let asked: Asked | null = null
  const after = (ms: number, act: () => void) => {
    const alarm = alarms.set(clock.now() + ms, act)
    ended.signal.addEventListener('abort', () => alarm.cancel())
  }
  const ask = (who: Asked) => {
    if (ended.signal.aborted || asked !== null) return
    asked = who
    run.stop()
    // Whoever ends the scheduler decides how long that may take.
    if (who !== 'end') after(PATIENCE_MS, () => run.kill())
  }
  stop.addEventListener('abort', () => ask('end'), { signal: ended.signal })
  newerSlot.addEventListener('abort', () => ask('newer-slot'), { signal: ended.signal })
  if (stop.aborted) ask('end')
  if (settings.timeoutMs !== null) after(settings.timeoutMs, () => ask('timeout'))
  const end = await run.ended
  ended.abort()
  return { end, asked }
}
