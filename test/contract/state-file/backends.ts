import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStateDirectory } from '../../../src/adapters/memory/state-directory.ts'
import { MemoryLocks } from '../../../src/adapters/memory/state-locks.ts'
import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import type { Locks } from '../../../src/ports/lock.ts'
import type { StateDirectory } from '../../../src/ports/state-file.ts'

/** An empty state directory and its locks, and where a backup of it may go. */
export interface Backend {
  readonly directory: StateDirectory
  readonly locks: Locks
  backupPath(name: string): string
  dispose(): void
}

/** Every adapter that keeps state, by name. */
export const BACKENDS: readonly (readonly [name: string, make: () => Backend])[] = [
  ['memory', memory],
  ['sqlite', sqlite],
]

function memory(): Backend {
  return {
    directory: new MemoryStateDirectory(),
    locks: new MemoryLocks(),
    backupPath: (name) => name,
    dispose: () => {},
  }
}

function sqlite(): Backend {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-state-'))
  return {
    directory: new SqliteStateDirectory(join(folder, 'state'), { busyTimeoutMs: 20 }),
    locks: new SqliteLocks(join(folder, 'state')),
    backupPath: (name) => join(folder, name),
    dispose: () => rmSync(folder, { recursive: true }),
  }
}
