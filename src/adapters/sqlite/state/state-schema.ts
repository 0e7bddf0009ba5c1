import type { DatabaseKind } from '../database.ts'

const FIRST = `
CREATE TABLE tidemark_stores (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  shape TEXT NOT NULL CHECK (shape IN ('key-value', 'window', 'key-time')),
  format TEXT NOT NULL,
  table_name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE tidemark_checkpoint (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL CHECK (seq >= 0),
  token TEXT NOT NULL,
  parent TEXT,
  checkpoint BLOB NOT NULL
) STRICT;

CREATE TABLE tidemark_outbox (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL CHECK (seq >= 0),
  token TEXT NOT NULL,
  parent TEXT,
  ends_run INTEGER NOT NULL CHECK (ends_run IN (0, 1))
) STRICT;

CREATE TABLE tidemark_outbox_batches (
  number INTEGER PRIMARY KEY,
  topic TEXT NOT NULL,
  partition INTEGER NOT NULL CHECK (partition >= 0),
  records INTEGER NOT NULL CHECK (records >= 0),
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE tidemark_runs (
  number INTEGER PRIMARY KEY,
  run TEXT NOT NULL UNIQUE,
  started_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'interrupted', 'crashed')),
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
CREATE INDEX tidemark_runs_by_start ON tidemark_runs (started_at, number);

CREATE TABLE tidemark_events (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  seq INTEGER NOT NULL CHECK (seq >= 0),
  run TEXT,
  at INTEGER NOT NULL,
  detail TEXT NOT NULL CHECK (json_valid(detail))
) STRICT;
`

/**
 * A generation's file. Its own tables are called `tidemark_…`; every other table is a store, under the store's name.
 * Times are epoch ms, `checkpoint` and `detail` are JSON, `bytes` are record batches.
 */
export const STATE_FILE: DatabaseKind = {
  what: 'state file',
  applicationId: 0x54444d53, // TDMS
  migrations: [FIRST],
}
