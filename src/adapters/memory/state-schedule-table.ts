import type { ScheduleState, ScheduleTable, SlotRow, SlotState, Timetable } from '../../ports/schedule-table.ts'

/** The slots of a job, in memory. */
export class MemoryScheduleTable implements ScheduleTable {
  #state: ScheduleState = { timetable: null, failures: 0, pause: null }
  #rows = new Map<number, SlotRow>()

  read(): ScheduleState {
    return this.#state
  }

  decide(timetable: Timetable, slots: readonly SlotRow[]): void {
    const known = slots.find(({ slot }) => this.#rows.has(slot))
    if (known !== undefined) throw new Error(`slot ${known.slot} has been decided on`)
    for (const row of slots) this.#rows.set(row.slot, row)
    this.#state = { ...this.#state, timetable }
  }

  mark(slots: readonly number[], state: SlotState, runId: string | null): void {
    for (const slot of slots) {
      const row = this.#rows.get(slot)
      if (row !== undefined) this.#rows.set(slot, { ...row, state, runId })
    }
  }

  open(): readonly SlotRow[] {
    return this.#sorted().filter(({ state }) => state !== 'covered')
  }

  slots(limit = Number.POSITIVE_INFINITY): readonly SlotRow[] {
    return this.#sorted().reverse().slice(0, limit)
  }

  prune(keep: number): void {
    const old = this.slots().slice(keep)
    for (const { slot, state } of old) if (state === 'covered') this.#rows.delete(slot)
  }

  countFailure(): number {
    this.#state = { ...this.#state, failures: this.#state.failures + 1 }
    return this.#state.failures
  }

  clearFailures(): void {
    this.#state = { ...this.#state, failures: 0 }
  }

  pause(since: number, reason: string): void {
    const { pause } = this.#state
    if (pause?.until === null) return
    this.#state = { ...this.#state, pause: { since, reason, until: null } }
  }

  resume(until: number): void {
    const { pause, timetable } = this.#state
    for (const slot of [...this.#rows.keys()]) if (slot >= until) this.#rows.delete(slot)
    this.#state = {
      failures: 0,
      pause: pause?.until === null ? { ...pause, until } : pause,
      timetable: timetable && { ...timetable, decidedTo: Math.min(timetable.decidedTo, until) },
    }
  }

  #sorted(): SlotRow[] {
    return [...this.#rows.values()].sort((left, right) => left.slot - right.slot)
  }
}
