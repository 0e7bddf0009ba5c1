import { hostname } from 'node:os'
import { isTidemarkError, TidemarkError } from '../../core/errors.ts'
import type { Lock, Locks } from '../../ports/lock.ts'
import { type Database, type DatabaseKind, openDatabase } from './database.ts'
import { translateSqliteError } from './sqlite-error.ts'
import { StatePaths } from './state/state-paths.ts'

const LOCK_FILE: DatabaseKind = {
  what: 'lock file',
  applicationId: 0x54444d4c, // TDML
  migrations: [
    `CREATE TABLE tidemark_holder (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      pid INTEGER NOT NULL,
      host TEXT NOT NULL,
      since TEXT NOT NULL,
      about TEXT NOT NULL
    ) STRICT`,
  ],
}

interface Holder {
  readonly pid: number
  readonly host: string
  readonly since: string
  readonly about: string
}

/** Covers the moments in which another process looks at the lock, or closes it; not waiting for its holder. */
const SETTLE_MS = 100

/** Connections of held locks. One that nobody refers to would be closed by the garbage collector, and so set free. */
const held = new Set<Database>()

/** Locks as open exclusive transactions on SQLite files: `<job>.lock` and `<job>/<generation>.lock`. */
export class SqliteLocks implements Locks {
  readonly #paths: StatePaths

  constructor(root: string) {
    this.#paths = new StatePaths(root)
  }

  acquire(name: string, about: string): Lock {
    const path = this.#paths.lock(name)
    let db: Database | undefined
    try {
      db = openDatabase(path, LOCK_FILE, { mode: 'create', busyTimeoutMs: SETTLE_MS })
      take(db, about)
    } catch (error) {
      const translated = translateSqliteError(error, { what: LOCK_FILE.what, path })
      const refused = isTidemarkError(translated, 'STATE_BUSY') ? locked(name, path, holderOf(db), error) : translated
      db?.close()
      throw refused
    }
    held.add(db)
    return { release: () => release(db) }
  }
}

/** The row has to be committed to be seen; whoever comes between the two transactions has the lock, and we are refused. */
function take(db: Database, about: string): void {
  db.pragma('synchronous = NORMAL') // the row is for display: it need not survive a power cut
  db.exec('BEGIN EXCLUSIVE')
  db.prepare('REPLACE INTO tidemark_holder (one, pid, host, since, about) VALUES (1, ?, ?, ?, ?)').run(
    process.pid,
    hostname(),
    new Date().toISOString(),
    about,
  )
  db.exec('COMMIT; BEGIN EXCLUSIVE')
}

function release(db: Database): void {
  held.delete(db)
  if (!db.open) return
  try {
    db.exec('DELETE FROM tidemark_holder; COMMIT')
  } catch {
    // closing is what frees the lock
  } finally {
    db.close()
  }
}

function holderOf(db: Database | undefined): Holder | undefined {
  try {
    return db?.prepare<unknown[], Holder>('SELECT pid, host, since, about FROM tidemark_holder').get()
  } catch {
    return undefined
  }
}

function locked(name: string, path: string, holder: Holder | undefined, cause: unknown): TidemarkError {
  const by =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host} since ${holder.since}: ${holder.about}`
  return new TidemarkError('LOCKED', `${name} is locked by ${by}`, {
    hint: `Try again when it has ended; the lock ends with its process. It is held on ${path}.`,
    cause,
  })
}
