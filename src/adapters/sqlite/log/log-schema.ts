import type { DatabaseKind } from '../database.ts'

const FIRST = `
CREATE TABLE log (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  cluster_id TEXT NOT NULL
) STRICT;
INSERT INTO log VALUES (1, lower(hex(randomblob(16))));

CREATE TABLE topics (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  id TEXT NOT NULL UNIQUE,
  settings TEXT NOT NULL CHECK (json_valid(settings))
) STRICT;

CREATE TABLE partitions (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  topic INTEGER REFERENCES topics (number),
  partition INTEGER NOT NULL CHECK (partition >= 0),
  log_start INTEGER NOT NULL DEFAULT 0,
  high_watermark INTEGER NOT NULL DEFAULT 0,
  UNIQUE (topic, partition),
  CHECK (0 <= log_start AND log_start <= high_watermark)
) STRICT;

CREATE TABLE batches (
  partition INTEGER NOT NULL REFERENCES partitions (number),
  base_offset INTEGER NOT NULL CHECK (base_offset >= 0),
  next_offset INTEGER NOT NULL CHECK (next_offset > base_offset),
  max_timestamp INTEGER NOT NULL,
  size INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (partition, base_offset)
) STRICT, WITHOUT ROWID;

CREATE TABLE batch_bytes (
  number INTEGER PRIMARY KEY,
  bytes BLOB NOT NULL
) STRICT;

CREATE TABLE commits (
  job TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER,
  token TEXT,
  parent TEXT,
  checkpoint BLOB,
  instance TEXT NOT NULL,
  run TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  ends_run INTEGER NOT NULL CHECK (ends_run IN (0, 1)),
  PRIMARY KEY (job, key),
  CHECK ((seq IS NULL) = (token IS NULL) AND (token IS NULL) = (checkpoint IS NULL))
) STRICT;

CREATE TABLE cuts (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  job TEXT NOT NULL,
  key TEXT NOT NULL,
  seq INTEGER NOT NULL,
  token TEXT NOT NULL,
  parent TEXT,
  checkpoint BLOB NOT NULL,
  instance TEXT NOT NULL,
  run TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  ends_run INTEGER NOT NULL CHECK (ends_run = 1),
  UNIQUE (job, key, token)
) STRICT;
`

/** Cuts that are merged with later ones are removed by their number. */
const CUTS_BY_SEQ = 'CREATE INDEX cuts_by_seq ON cuts (job, key, seq);'

/**
 * The embedded log. A batch's place is apart from its bytes: what searches by offset or time reads no record, and the
 * bytes lie in the order of their arrival. A partition whose topic is NULL was deleted and awaits its removal. `commits`
 * has the record in force of each job and key, `cuts` those that ended a run. Times are epoch ms.
 */
export const LOG_FILE: DatabaseKind = {
  what: 'log file',
  applicationId: 0x54444d47, // TDMG
  migrations: [FIRST, CUTS_BY_SEQ],
}
