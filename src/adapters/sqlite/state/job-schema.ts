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

/** `job.db`. Times are epoch ms; `last_…` is the token of the last slice known to be committed. */
export const JOB_FILE: DatabaseKind = {
  what: 'job file',
  applicationId: 0x54444d4a, // TDMJ
  migrations: [FIRST],
}
