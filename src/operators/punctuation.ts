import type { StreamTime } from './operator.ts'

/** When a punctuation fires next: the checkpoint keeps it. */
export interface PunctuationTime {
  /** Epoch ms; -1 where it was cancelled. */
  readonly due: number
  /** Of punctuations that are due at the same time, the one that was set before the others comes first. */
  readonly order: number
  set(due: number): void
}

/** One schedule of a processor in one task. */
export interface Punctuation {
  readonly time: PunctuationTime
  readonly everyMs: number
  readonly by: 'stream-time' | 'wall-clock'
  /** The stream time of its step. */
  readonly streamTime: StreamTime
  readonly fire: (time: number) => void
}

/** True where one of them is to fire. Stream time is that of their steps where no time is given. */
export function isAnyDue(punctuations: readonly Punctuation[]): boolean {
  for (const { by, time, streamTime } of punctuations) {
    if (by === 'stream-time' && time.due >= 0 && time.due <= streamTime.value) return true
  }
  return false
}

/** Fires what stream time has reached, in the order of the due times: each once, however many intervals have passed. */
export function fireByStreamTime(punctuations: readonly Punctuation[]): void {
  for (;;) {
    let first: Punctuation | undefined
    for (const each of punctuations) {
      const { due } = each.time
      if (each.by !== 'stream-time' || due < 0 || due > each.streamTime.value) continue
      if (first === undefined || isBefore(each.time, first.time)) first = each
    }
    if (first === undefined) return
    fireOnce(first, first.streamTime.value)
  }
}

/** Fires what the run's clock has reached. */
export function fireByWallClock(punctuations: readonly Punctuation[], now: number): void {
  for (const each of punctuations) {
    if (each.by === 'wall-clock' && each.time.due >= 0 && each.time.due <= now) fireOnce(each, now)
  }
}

function isBefore(one: PunctuationTime, other: PunctuationTime): boolean {
  return one.due < other.due || (one.due === other.due && one.order < other.order)
}

function fireOnce({ time, everyMs, fire }: Punctuation, now: number): void {
  const { due } = time
  fire(now)
  if (time.due >= 0) time.set(due + (Math.floor((now - due) / everyMs) + 1) * everyMs)
}
