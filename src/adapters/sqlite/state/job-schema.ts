import type { DatabaseKind } from '../database.ts'

const FIRST = `
CREATE TABLE tidemark_instance (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL
) STRICT;

CREATE TABLE tidemark_generations (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('live', 'range')),
  job_path TEXT NOT NULL,
  bounds TEXT,
  published INTEGER NOT NULL CHECK (published IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_seq INTEGER,
  last_token TEXT,
  last_parent TEXT,
  CHECK ((last_seq IS NULL) = (last_token IS NULL))
) STRICT;
`

const SLOTS = `
CREATE TABLE tidemark_schedule (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  expression TEXT,
  timezone TEXT,
  since INTEGER,
  decided_to INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  paused_since INTEGER,
  paused_until INTEGER,
  pause_reason TEXT,
  CHECK ((expression IS NULL) = (decided_to IS NULL)),
  CHECK ((paused_since IS NULL) = (pause_reason IS NULL)),
  CHECK (paused_until IS NULL OR paused_since IS NOT NULL)
) STRICT;

INSERT INTO tidemark_schedule (one) VALUES (1);

CREATE TABLE tidemark_slots (
  slot INTEGER PRIMARY KEY,
  first INTEGER NOT NULL CHECK (first <= slot),
  count INTEGER NOT NULL CHECK (count > 0),
  cause TEXT NOT NULL CHECK (cause IN ('scheduled', 'missed', 'overlap', 'paused')),
  state TEXT NOT NULL CHECK (state IN ('due', 'skipped', 'failed', 'covered')),
  decided_at INTEGER NOT NULL,
  run_id TEXT,
  CHECK (state <> 'covered' OR run_id IS NOT NULL)
) STRICT;

CREATE INDEX tidemark_open_slots ON tidemark_slots (slot) WHERE state <> 'covered';
`

const ROLES = `
CREATE TABLE tidemark_generations_new (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL CHECK (role IN ('live', 'range', 'reprocessed', 'retired')),
  job_path TEXT NOT NULL,
  bounds TEXT,
  published INTEGER NOT NULL CHECK (published IN (0, 1)),
  created_at INTEGER NOT NULL,
  last_seq INTEGER,
  last_token TEXT,
  last_parent TEXT,
  CHECK ((last_seq IS NULL) = (last_token IS NULL))
) STRICT;

INSERT INTO tidemark_generations_new SELECT * FROM tidemark_generations;
DROP TABLE tidemark_generations;
ALTER TABLE tidemark_generations_new RENAME TO tidemark_generations;
`

/** `job.db`. Times are epoch ms; `last_…` is the token of the last slice known to be committed. */
export const JOB_FILE: DatabaseKind = {
  what: 'job file',
  applicationId: 0x54444d4a, // TDMJ
  migrations: [FIRST, SLOTS, ROLES],
}
