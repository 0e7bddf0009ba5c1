import type { Database, DatabaseKind } from './database.ts'

/** Brings a file from its version to the newest, all or nothing. Several processes may try at once. */
export function applyMigrations(db: Database, kind: DatabaseKind): void {
  if (versionOf(db) === kind.migrations.length) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it while this one waited.
    for (const script of kind.migrations.slice(versionOf(db))) db.exec(script)
    db.pragma(`application_id = ${kind.applicationId}`)
    db.pragma(`user_version = ${kind.migrations.length}`)
    db.exec('COMMIT')
  } finally {
    if (db.inTransaction) db.exec('ROLLBACK')
  }
}

function versionOf(db: Database): number {
  return Number(db.pragma('user_version', { simple: true }))
}
