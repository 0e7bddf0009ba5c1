import type Sqlite from 'better-sqlite3'
import type { CommitRecord } from '../../../ports/outside.ts'
import type { Database } from '../database.ts'

interface StoredCommit {
  readonly seq: number | null
  readonly token: string | null
  readonly parent: string | null
  readonly checkpoint: Buffer | null
  readonly instance: string
  readonly run: string
  readonly leaseUntil: number
  readonly endsRun: number
}

const COLUMNS = 'job, key, seq, token, parent, checkpoint, instance, run, lease_until, ends_run'
const PLACES = COLUMNS.replaceAll(/\w+/g, '?')
const SELECTED = 'seq, token, parent, checkpoint, instance, run, lease_until AS leaseUntil, ends_run AS endsRun'

/** Commit records: the one in force of each job and key, and those that ended a run. */
export class CommitRows {
  readonly #inForce: Sqlite.Statement<[string, string], StoredCommit>
  readonly #cuts: Sqlite.Statement<[string, string], StoredCommit>
  readonly #put: Sqlite.Statement<unknown[]>
  readonly #putCut: Sqlite.Statement<unknown[]>
  readonly #removeCut: Sqlite.Statement<[string, string, number]>

  constructor(db: Database) {
    this.#inForce = db.prepare(`SELECT ${SELECTED} FROM commits WHERE job = ? AND key = ?`)
    this.#cuts = db.prepare(`SELECT ${SELECTED} FROM cuts WHERE job = ? AND key = ? ORDER BY number`)
    this.#put = db.prepare(`INSERT OR REPLACE INTO commits (${COLUMNS}) VALUES (${PLACES})`)
    this.#putCut = db.prepare(`INSERT INTO cuts (${COLUMNS}) VALUES (${PLACES})`)
    this.#removeCut = db.prepare('DELETE FROM cuts WHERE job = ? AND key = ? AND seq = ?')
  }

  inForce(job: string, key: string): CommitRecord | undefined {
    const stored = this.#inForce.get(job, key)
    return stored && commitRecord(stored)
  }

  /** Oldest first. */
  cuts(job: string, key: string): CommitRecord[] {
    return this.#cuts.all(job, key).map(commitRecord)
  }

  put(job: string, key: string, record: CommitRecord): void {
    this.#put.run(columns(job, key, record))
  }

  removeCut(job: string, key: string, seq: number): void {
    this.#removeCut.run(job, key, seq)
  }

  putCut(job: string, key: string, record: CommitRecord): void {
    this.#putCut.run(columns(job, key, record))
  }
}

function columns(job: string, key: string, { token, checkpoint, delivery }: CommitRecord): unknown[] {
  const { instance, runId, leaseUntil, endsRun } = delivery
  const { seq = null, id = null, parent = null } = token ?? {}
  return [job, key, seq, id, parent, checkpoint, instance, runId, leaseUntil, endsRun ? 1 : 0]
}

function commitRecord({ seq, token: id, parent, checkpoint, ...delivery }: StoredCommit): CommitRecord {
  const { instance, run: runId, leaseUntil, endsRun } = delivery
  return {
    token: seq === null || id === null ? null : { seq, id, parent },
    checkpoint,
    delivery: { instance, runId, leaseUntil, endsRun: endsRun === 1 },
  }
}
