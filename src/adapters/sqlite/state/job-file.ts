import { dirname, isAbsolute, relative, resolve } from 'node:path'
import type { Token } from '../../../core/token.ts'
import type { GenerationRow, JobFile } from '../../../ports/state-file.ts'
import type { Database } from '../database.ts'
import { JOB_FILE } from './job-schema.ts'
import { SqliteScheduleTable } from './schedule-table.ts'
import { Transaction } from './transaction.ts'

interface Columns {
  readonly name: string
  readonly role: GenerationRow['role']
  readonly job_path: string
  readonly bounds: string | null
  readonly published: 0 | 1
  readonly created_at: number
  readonly last_seq: number | null
  readonly last_token: string | null
  readonly last_parent: string | null
}

/** `job.db` of one job. */
export class SqliteJobFile implements JobFile {
  readonly #db: Database
  readonly #transaction: Transaction
  readonly #folder: string
  readonly schedule: SqliteScheduleTable

  /** `db` is an open JOB_FILE, and this handle's alone. `newId` gives a UUID where the file has none yet. */
  constructor(db: Database, newId: () => string) {
    this.#db = db
    this.#folder = dirname(resolve(db.name))
    this.#transaction = new Transaction(db, { what: JOB_FILE.what, path: db.name })
    this.schedule = new SqliteScheduleTable(this.#transaction)
    if (this.#instance() === undefined) {
      const insert = 'INSERT INTO tidemark_instance (one, id) VALUES (1, ?) ON CONFLICT DO NOTHING'
      this.#transaction.alone(() => db.prepare(insert).run(newId()))
    }
  }

  instance(): string {
    const id = this.#instance()
    if (id === undefined) throw new Error(`${this.#db.name} has lost its instance`)
    return id
  }

  generations(): readonly GenerationRow[] {
    const sql = 'SELECT * FROM tidemark_generations ORDER BY number'
    return this.#transaction.reading(() =>
      this.#db
        .prepare<unknown[], Columns>(sql)
        .all()
        .map((row) => generationOf(this.#folder, row)),
    )
  }

  putGeneration({ lastToken, ...row }: GenerationRow): void {
    const put = `INSERT INTO tidemark_generations
        (name, role, job_path, bounds, published, created_at, last_seq, last_token, last_parent)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET role = excluded.role, job_path = excluded.job_path, bounds = excluded.bounds,
        published = excluded.published, created_at = excluded.created_at, last_seq = excluded.last_seq,
        last_token = excluded.last_token, last_parent = excluded.last_parent`
    const columns = [
      row.name,
      row.role,
      keptPath(this.#folder, row.jobPath),
      row.bounds,
      row.published ? 1 : 0,
      row.createdAt,
    ]
    const token = [lastToken?.seq ?? null, lastToken?.id ?? null, lastToken?.parent ?? null]
    this.#transaction.alone(() => this.#db.prepare(put).run(...columns, ...token))
  }

  removeGeneration(name: string): void {
    this.#transaction.alone(() => this.#db.prepare('DELETE FROM tidemark_generations WHERE name = ?').run(name))
  }

  close(): void {
    this.#transaction.close()
  }

  #instance(): string | undefined {
    const sql = 'SELECT id FROM tidemark_instance'
    return this.#transaction.reading(() => this.#db.prepare<unknown[], string>(sql).pluck().get())
  }
}

function generationOf(folder: string, row: Columns): GenerationRow {
  return {
    name: row.name,
    role: row.role,
    jobPath: fullPath(folder, row.job_path),
    bounds: row.bounds,
    published: row.published === 1,
    createdAt: row.created_at,
    lastToken: tokenOf(row),
  }
}

function tokenOf({ last_seq, last_token, last_parent }: Columns): Token | null {
  return last_seq === null || last_token === null ? null : { seq: last_seq, id: last_token, parent: last_parent }
}

/** A path that is not absolute is a name, and stays as it is. */
function keptPath(folder: string, path: string): string {
  if (!isAbsolute(path)) return path
  const kept = relative(folder, path)
  return kept.startsWith('..') ? kept : `./${kept}`
}

function fullPath(folder: string, kept: string): string {
  return /^\.\.?[/\\]/.test(kept) ? resolve(folder, kept) : kept
}
