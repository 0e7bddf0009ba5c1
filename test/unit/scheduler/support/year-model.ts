/** What the model is told. Instants and spans are ms. */
export interface YearFacts {
  /** Every slot there is, from a naive look at the clock. */
  readonly slots: readonly number[]
  /** When a scheduler was there: `[from, to)`, in order. */
  readonly up: readonly (readonly [from: number, to: number])[]
  readonly settle: number
  readonly queue: boolean
  readonly untilSlot: boolean
  /** How long the nth run takes, from 0. */
  readonly takes: (run: number) => number
  /** What the scheduler saw first where a run ended in the very instant of this slot: nobody says, and its row tells. */
  readonly slotFirst: (slot: number) => boolean
  /** Whether the nth run, which nobody saw the end of, left an unfinished plan behind. */
  readonly leftUnfinished: (run: number) => boolean
}

export interface ExpectedSlot {
  readonly slot: number
  readonly cause: 'scheduled' | 'missed' | 'overlap'
  /** The launch that covered it, from 0; null where none has. */
  readonly run: number | null
}

export interface ExpectedRun {
  readonly at: number
  /** The slot that it goes until; null: to the end of the log. */
  readonly until: number | null
}

interface Known {
  readonly slot: number
  readonly cause: ExpectedSlot['cause']
  due: boolean
  run: number | null
}

/** Plays a year in the plainest way: from one thing that happens to the next, with a list of all slots. */
export function yearModel(facts: YearFacts): {
  slots: readonly ExpectedSlot[]
  runs: readonly ExpectedRun[]
  /** How often a run ended in the very instant of a slot. */
  ties: number
} {
  const known: Known[] = []
  const runs: ExpectedRun[] = []
  let ties = 0
  const [[begin] = [0]] = facts.up
  const coming = facts.slots.filter((slot) => slot >= begin)
  /** When the run began whose plan was left unfinished. */
  let unfinishedSince: number | null = null

  for (const [from, to] of facts.up) {
    let now = from
    let running: { readonly ends: number; readonly covers: number } | null = null
    const found = coming.filter((slot) => slot + facts.settle <= now)
    for (const slot of found) {
      const onTime = slot === found.at(-1) && now - (slot + facts.settle) <= 60_000
      known.push({ slot, cause: onTime ? 'scheduled' : 'missed', due: true, run: null })
    }
    coming.splice(0, found.length)
    for (;;) {
      if (running === null && known.some(({ due }) => due)) running = launch(now)
      const slotAt = (coming[0] ?? Number.POSITIVE_INFINITY) + facts.settle
      const next = Math.min(slotAt, running?.ends ?? Number.POSITIVE_INFINITY)
      if (next >= to) break
      now = next
      const isTie = running?.ends === now && slotAt === now
      if (isTie) ties++
      if (running !== null && running.ends === now && !(isTie && facts.slotFirst(coming[0] ?? 0))) {
        end(running.covers)
        running = null
        continue
      }
      const slot = coming.shift() ?? 0
      known.push({
        slot,
        cause: running === null ? 'scheduled' : 'overlap',
        due: running === null || facts.queue,
        run: null,
      })
    }
    // Nobody sees the end of a run that is under way: its slots stay due.
    if (running !== null && unfinishedSince === null && facts.leftUnfinished(runs.length - 1)) {
      unfinishedSince = runs.at(-1)?.at ?? null
    } else if (running !== null && !facts.leftUnfinished(runs.length - 1)) {
      unfinishedSince = null
    }
  }
  return { slots: known.map(({ slot, cause, run }) => ({ slot, cause, run })), runs, ties }

  function launch(now: number) {
    const newest = Math.max(...known.filter(({ due }) => due).map(({ slot }) => slot))
    const run = runs.push({ at: now, until: facts.untilSlot ? newest : null }) - 1
    return { ends: now + facts.takes(run), covers: facts.untilSlot ? newest : (unfinishedSince ?? now) }
  }

  function end(covers: number): void {
    unfinishedSince = null
    for (const each of known) {
      if (each.run !== null || each.slot > covers) continue
      each.run = runs.length - 1
      each.due = false
    }
  }
}
