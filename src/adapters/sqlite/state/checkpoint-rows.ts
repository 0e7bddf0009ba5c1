import type { Token } from '../../../core/token.ts'
import type { Outbox, StoredCheckpoint } from '../../../ports/state-file.ts'
import type { Database } from '../database.ts'

interface TokenColumns {
  readonly seq: number
  readonly token: string
  readonly parent: string | null
}

interface BatchColumns {
  readonly topic: string
  readonly partition: number
  readonly records: number
  readonly bytes: Buffer
}

/** The checkpoint and the outbox: one row each, and the outbox's batches in the order in which they were staged. */
export class CheckpointRows {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  checkpoint(): StoredCheckpoint | undefined {
    const sql = 'SELECT seq, token, parent, checkpoint FROM tidemark_checkpoint'
    const row = this.#db.prepare<unknown[], TokenColumns & { checkpoint: Buffer }>(sql).get()
    return row === undefined ? undefined : { token: tokenOf(row), bytes: row.checkpoint }
  }

  putCheckpoint({ token, bytes }: StoredCheckpoint): void {
    this.#db
      .prepare('REPLACE INTO tidemark_checkpoint (one, seq, token, parent, checkpoint) VALUES (1, ?, ?, ?, ?)')
      .run(token.seq, token.id, token.parent, bytes)
  }

  outbox(): Outbox | undefined {
    const sql = 'SELECT seq, token, parent, ends_run FROM tidemark_outbox'
    const row = this.#db.prepare<unknown[], TokenColumns & { ends_run: number }>(sql).get()
    if (row === undefined) return undefined
    const batches = this.#db
      .prepare<unknown[], BatchColumns>(
        'SELECT topic, partition, records, bytes FROM tidemark_outbox_batches ORDER BY number',
      )
      .all()
    return { token: tokenOf(row), endsRun: row.ends_run === 1, batches }
  }

  putOutbox({ token, endsRun, batches }: Outbox): void {
    this.deleteOutbox()
    this.#db
      .prepare('INSERT INTO tidemark_outbox (one, seq, token, parent, ends_run) VALUES (1, ?, ?, ?, ?)')
      .run(token.seq, token.id, token.parent, endsRun ? 1 : 0)
    const insert = this.#db.prepare(
      'INSERT INTO tidemark_outbox_batches (topic, partition, records, bytes) VALUES (?, ?, ?, ?)',
    )
    for (const { topic, partition, records, bytes } of batches) insert.run(topic, partition, records, bytes)
  }

  deleteOutbox(): void {
    this.#db.exec('DELETE FROM tidemark_outbox; DELETE FROM tidemark_outbox_batches')
  }
}

function tokenOf({ seq, token, parent }: TokenColumns): Token {
  return { seq, id: token, parent }
}
