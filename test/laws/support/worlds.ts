import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryCluster } from '../../../src/adapters/memory/log-cluster.ts'
import { MemoryStateDirectory } from '../../../src/adapters/memory/state-directory.ts'
import { MemoryLocks } from '../../../src/adapters/memory/state-locks.ts'
import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import type { Lock, Locks } from '../../../src/ports/lock.ts'
import type { Log } from '../../../src/ports/log.ts'
import type { StateDirectory, StateFile } from '../../../src/ports/state-file.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'

/** A place where jobs run, and which outlives the processes that run them. */
export interface World {
  /** The ports as a new process has them. */
  process(): Environment
  /** All processes are gone: what they had not committed is lost, and their locks are free. */
  crash(): void
  /** What its processes have for a clock. */
  readonly clock: ManualClock
  /** A path for a backup. */
  readonly backup: string
  end(): Promise<void>
}

export const NOW = 1_000_000_000

export const WORLDS: Readonly<Record<string, () => World>> = { memory: memoryWorld, embedded: embeddedWorld }

/** Memory, with the log on another machine: stores have changelogs, and any process finds an empty disk. */
export function diskless(): World {
  const world = memoryWorld(true)
  return {
    ...world,
    process: () => {
      const env = world.process()
      const state = new MemoryStateDirectory()
      return { ...env, state, locks: new MemoryLocks() }
    },
  }
}

function memoryWorld(keepsChangelogs = false): World {
  const ids = countedIds()
  const cluster = new MemoryCluster(ids)
  const state = new MemoryStateDirectory()
  const locks = new MemoryLocks()
  const clock = new ManualClock(NOW)
  return {
    clock,
    backup: 'backup',
    process: () => ({
      log: new MemoryLog(cluster, keepsChangelogs),
      state,
      locks,
      clock,
      ids,
      steps: { enter: () => {} },
    }),
    crash: () => {
      state.crash()
      locks.crash()
    },
    end: async () => {},
  }
}

function embeddedWorld(): World {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-law-'))
  const ids = countedIds()
  const clock = new ManualClock(NOW)
  const open: { close(): unknown }[] = []
  return {
    clock,
    backup: join(folder, 'backup.db'),
    process: () => {
      const log: Log = SqliteLog.open(join(folder, 'log.db'))
      open.push(log)
      const state = tracked(new SqliteStateDirectory(folder), open)
      return { log, state, locks: trackedLocks(new SqliteLocks(folder), open), clock, ids, steps: { enter: () => {} } }
    },
    crash: () => {
      for (const handle of open.splice(0)) handle.close()
    },
    end: async () => {
      for (const handle of open.splice(0)) await handle.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Remembers the files that are opened, so that a crash can close them: SQLite then gives up what was not committed. */
function tracked(state: SqliteStateDirectory, open: { close(): unknown }[]): StateDirectory {
  return new Proxy(state, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = value.apply(target, args) as StateFile | undefined
        if ((name === 'open' || name === 'jobFile') && result !== undefined) open.push(result)
        return result
      }
    },
  })
}

function trackedLocks(locks: Locks, open: { close(): unknown }[]): Locks {
  return {
    acquire: (name, about) => {
      const lock: Lock = locks.acquire(name, about)
      open.push({ close: () => lock.release() })
      return lock
    },
  }
}
