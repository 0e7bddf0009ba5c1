import type {
  Pause,
  ScheduleState,
  ScheduleTable,
  SlotCause,
  SlotRow,
  SlotState,
  Timetable,
} from '../../../ports/schedule-table.ts'
import type { Transaction } from './transaction.ts'

interface StateColumns {
  readonly expression: string | null
  readonly timezone: string | null
  readonly since: number | null
  readonly decided_to: number | null
  readonly failures: number
  readonly paused_since: number | null
  readonly paused_until: number | null
  readonly pause_reason: string | null
}

interface SlotColumns {
  readonly slot: number
  readonly first: number
  readonly count: number
  readonly cause: SlotCause
  readonly state: SlotState
  readonly decided_at: number
  readonly run_id: string | null
}

/** The slots of a job, in its `job.db`. */
export class SqliteScheduleTable implements ScheduleTable {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  read(): ScheduleState {
    const [row] = this.#all<StateColumns>('SELECT * FROM tidemark_schedule')
    if (row === undefined) throw new Error(`${this.#transaction.db.name} has lost its schedule`)
    return { timetable: timetableOf(row), failures: row.failures, pause: pauseOf(row) }
  }

  decide({ expression, timezone, since, decidedTo }: Timetable, slots: readonly SlotRow[]): void {
    const set = 'UPDATE tidemark_schedule SET expression = ?, timezone = ?, since = ?, decided_to = ?'
    const insert = `INSERT INTO tidemark_slots (slot, first, count, cause, state, decided_at, run_id)
      VALUES (?, ?, ?, ?, ?, ?, ?)`
    this.#transaction.alone(() => {
      const { db } = this.#transaction
      db.prepare(set).run(expression, timezone, since, decidedTo)
      const statement = db.prepare(insert)
      for (const { slot, first, count, cause, state, decidedAt, runId } of slots) {
        statement.run(slot, first, count, cause, state, decidedAt, runId)
      }
    })
  }

  mark(slots: readonly number[], state: SlotState, runId: string | null): void {
    this.#transaction.alone(() => {
      const update = this.#transaction.db.prepare('UPDATE tidemark_slots SET state = ?, run_id = ? WHERE slot = ?')
      for (const slot of slots) update.run(state, runId, slot)
    })
  }

  open(): readonly SlotRow[] {
    return this.#all<SlotColumns>("SELECT * FROM tidemark_slots WHERE state <> 'covered' ORDER BY slot").map(slotOf)
  }

  slots(limit = -1): readonly SlotRow[] {
    return this.#all<SlotColumns>('SELECT * FROM tidemark_slots ORDER BY slot DESC LIMIT ?', limit).map(slotOf)
  }

  prune(keep: number): void {
    const oldest = 'SELECT slot FROM tidemark_slots ORDER BY slot DESC LIMIT 1 OFFSET ?'
    this.#write(`DELETE FROM tidemark_slots WHERE state = 'covered' AND slot <= (${oldest})`, keep)
  }

  countFailure(): number {
    this.#write('UPDATE tidemark_schedule SET failures = failures + 1')
    return this.read().failures
  }

  clearFailures(): void {
    this.#write('UPDATE tidemark_schedule SET failures = 0 WHERE failures <> 0')
  }

  pause(since: number, reason: string): void {
    const set = 'UPDATE tidemark_schedule SET paused_since = ?, paused_until = NULL, pause_reason = ?'
    this.#write(`${set} WHERE paused_since IS NULL OR paused_until IS NOT NULL`, since, reason)
  }

  resume(until: number): void {
    const set = `UPDATE tidemark_schedule SET failures = 0, decided_to = min(decided_to, ?),
      paused_until = CASE WHEN paused_since IS NULL THEN NULL ELSE coalesce(paused_until, ?) END`
    this.#transaction.alone(() => {
      const { db } = this.#transaction
      db.prepare(set).run(until, until)
      db.prepare('DELETE FROM tidemark_slots WHERE slot >= ?').run(until)
    })
  }

  #all<Row>(sql: string, ...values: readonly unknown[]): readonly Row[] {
    return this.#transaction.reading(() => this.#transaction.db.prepare<unknown[], Row>(sql).all(...values))
  }

  #write(sql: string, ...values: readonly unknown[]): void {
    this.#transaction.alone(() => this.#transaction.db.prepare(sql).run(...values))
  }
}

function timetableOf({ expression, timezone, since, decided_to }: StateColumns): Timetable | null {
  if (expression === null || timezone === null || since === null || decided_to === null) return null
  return { expression, timezone, since, decidedTo: decided_to }
}

function pauseOf({ paused_since, paused_until, pause_reason }: StateColumns): Pause | null {
  if (paused_since === null || pause_reason === null) return null
  return { since: paused_since, reason: pause_reason, until: paused_until }
}

function slotOf({ decided_at, run_id, ...row }: SlotColumns): SlotRow {
  return { ...row, decidedAt: decided_at, runId: run_id }
}
