import type { HistoryEvent, NumberedEvent, RunRow } from '../../../ports/history.ts'
import type { Database } from '../database.ts'

interface RunColumns {
  readonly run: string
  readonly started_at: number
  readonly status: RunRow['status']
  readonly detail: string
}

interface EventColumns {
  readonly number: number
  readonly kind: HistoryEvent['kind']
  readonly seq: number
  readonly run: string | null
  readonly at: number
  readonly detail: string
}

const RUN = 'SELECT run, started_at, status, detail FROM tidemark_runs'

/** Runs and events. What is asked for by has a column; the rest of a run is JSON. */
export class HistoryRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  putRun({ runId, startedAt, status, ...detail }: RunRow): void {
    this.#db
      .prepare(
        `INSERT INTO tidemark_runs (run, started_at, status, detail) VALUES (?, ?, ?, ?)
         ON CONFLICT (run) DO UPDATE
         SET started_at = excluded.started_at, status = excluded.status, detail = excluded.detail`,
      )
      .run(runId, startedAt, status, JSON.stringify(detail))
  }

  run(runId: string): RunRow | undefined {
    const row = this.#db.prepare<unknown[], RunColumns>(`${RUN} WHERE run = ?`).get(runId)
    return row === undefined ? undefined : runOf(row)
  }

  runs(limit: number, status: RunRow['status'] | null): readonly RunRow[] {
    const where = status === null ? '' : 'WHERE status = ?'
    const sql = `${RUN} ${where} ORDER BY started_at DESC, number DESC LIMIT ?`
    const parameters = status === null ? [limit] : [status, limit]
    return this.#db
      .prepare<unknown[], RunColumns>(sql)
      .all(...parameters)
      .map(runOf)
  }

  pruneRuns(keep: number): void {
    this.#db
      .prepare(
        `DELETE FROM tidemark_runs WHERE status <> 'running' AND number IN
           (SELECT number FROM tidemark_runs ORDER BY started_at DESC, number DESC LIMIT -1 OFFSET ?)`,
      )
      .run(keep)
  }

  putEvents(events: readonly HistoryEvent[]): void {
    const insert = this.#db.prepare('INSERT INTO tidemark_events (kind, seq, run, at, detail) VALUES (?, ?, ?, ?, ?)')
    for (const { kind, seq, runId, at, detail } of events) insert.run(kind, seq, runId, at, JSON.stringify(detail))
  }

  /** A negative limit is none. */
  events(after: number, limit: number): readonly NumberedEvent[] {
    const sql =
      'SELECT number, kind, seq, run, at, detail FROM tidemark_events WHERE number > ? ORDER BY number LIMIT ?'
    return this.#db.prepare<unknown[], EventColumns>(sql).all(after, limit).map(eventOf)
  }

  replaceEvents(events: readonly NumberedEvent[], gone: readonly number[]): void {
    const replace = this.#db.prepare(
      'UPDATE tidemark_events SET kind = ?, seq = ?, run = ?, at = ?, detail = ? WHERE number = ?',
    )
    for (const { kind, seq, runId, at, detail, number } of events) {
      replace.run(kind, seq, runId, at, JSON.stringify(detail), number)
    }
    const remove = this.#db.prepare('DELETE FROM tidemark_events WHERE number = ?')
    for (const number of gone) remove.run(number)
  }
}

function runOf({ run, started_at, status, detail }: RunColumns): RunRow {
  return {
    ...(JSON.parse(detail) as Omit<RunRow, 'runId' | 'startedAt' | 'status'>),
    runId: run,
    startedAt: started_at,
    status,
  }
}

function eventOf({ number, kind, seq, run, at, detail }: EventColumns): NumberedEvent {
  return { number, kind, seq, runId: run, at, detail: JSON.parse(detail) as HistoryEvent['detail'] }
}
