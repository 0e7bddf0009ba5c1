import type { StoreIdentity } from '../../../ports/state-file.ts'
import type { StoreShape, StoreTable } from '../../../ports/store-table.ts'
import { noStore, otherShape } from '../../state-rules/store-refused.ts'
import { createSql, layoutOf } from './store-sql.ts'
import { SqliteStoreTable } from './store-table.ts'
import type { Transaction } from './transaction.ts'

interface CatalogRow {
  readonly number: number
  readonly name: string
  readonly shape: StoreShape
  readonly format: string
  readonly table_name: string
}

/** Which stores a file has, and under which names their tables are found. */
export class StoreCatalog {
  readonly #transaction: Transaction
  readonly #open = new Map<string, StoreTable>()

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  list(): readonly StoreIdentity[] {
    return this.#rows().map(({ name, shape, format }) => ({ name, shape, format }))
  }

  table(identity: StoreIdentity): StoreTable {
    const row = this.#find(identity.name) ?? this.#create(identity)
    if (row.shape !== identity.shape) throw otherShape(row, identity.shape)
    // After a rollback a store may come again, with the same number and another shape.
    const key = `${row.number} ${row.shape} ${row.table_name}`
    let table = this.#open.get(key)
    if (table === undefined) {
      table = new SqliteStoreTable(this.#transaction, row.name, layoutOf(row.shape, row.table_name, row.number))
      this.#open.set(key, table)
    }
    return table
  }

  drop(name: string): void {
    const row = this.#find(name)
    if (row === undefined) return
    this.#transaction.within(() => {
      const { db } = this.#transaction
      db.exec(`DROP TABLE ${layoutOf(row.shape, row.table_name, row.number).table}`)
      db.prepare('DELETE FROM tidemark_stores WHERE number = ?').run(row.number)
    })
    this.#open.clear()
  }

  #create({ name, shape, format }: StoreIdentity): CatalogRow {
    const { db } = this.#transaction
    if (db.readonly) throw noStore(name, this.list())
    this.#transaction.within(() => {
      const last = db.prepare<unknown[], number>('SELECT coalesce(max(number), 0) FROM tidemark_stores').pluck().get()
      const number = Number(last) + 1
      const table = this.#isFree(name) ? name : `tidemark_store_${number}`
      db.prepare('INSERT INTO tidemark_stores (number, name, shape, format, table_name) VALUES (?, ?, ?, ?, ?)').run(
        number,
        name,
        shape,
        format,
        table,
      )
      db.exec(createSql(layoutOf(shape, table, number)))
    })
    const made = this.#find(name)
    if (made === undefined) throw new Error(`store ${name} was made and is not there`)
    return made
  }

  /** Whether a table may be called like the store. SQLite keeps names for itself, and does not tell A from a. */
  #isFree(name: string): boolean {
    if (name === '' || name.includes('\0') || /^(sqlite|tidemark)_/i.test(name)) return false
    const taken = this.#transaction.db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE')
    return taken.get(name) === undefined
  }

  #find(name: string): CatalogRow | undefined {
    return this.#rows().find((row) => row.name === name)
  }

  #rows(): readonly CatalogRow[] {
    const sql = 'SELECT number, name, shape, format, table_name FROM tidemark_stores ORDER BY number'
    return this.#transaction.reading(() => this.#transaction.db.prepare<unknown[], CatalogRow>(sql).all())
  }
}
