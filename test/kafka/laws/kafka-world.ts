import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import type { KafkaSettings } from '../../../src/adapters/kafka/settings/kafka-settings.ts'
import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Lock } from '../../../src/ports/lock.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { Environment } from '../../../src/runtime/environment.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'
import { NOW, type World } from '../../laws/support/worlds.ts'
import { testSettings } from '../support/settings.ts'
import { PrefixedLog, removeTopics } from './prefixed-log.ts'

/** A world on a broker that others share, with its state in a folder of its own. */
export interface KafkaWorld extends World {
  /** Stands in front of the names of its topics and jobs. */
  readonly prefix: string
  readonly settings: KafkaSettings
  readonly clock: ManualClock
  /** The folder of the state, or of another machine's: what is in it is made when it is first used. */
  process(machine?: string): Environment
  /** The disk of a machine is gone. */
  loseDisk(machine?: string): void
  /** Removes a topic by its name on the broker. */
  removeTopic(name: string): Promise<void>
}

let worlds = 0

export function kafkaWorld(bootstrap: string): KafkaWorld {
  const settings = testSettings(bootstrap)
  const prefix = `w${process.pid.toString(36)}${Date.now().toString(36)}${(++worlds).toString(36)}-`
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-kafka-law-'))
  const ids = countedIds()
  const clock = new ManualClock(NOW)
  const made = new Set<string>()
  const open = new Set<{ close(): unknown }>()
  let log = new KafkaLog(settings, systemClock)
  const folderOf = (machine: string) => join(folder, machine)
  const crash = () => {
    for (const handle of open) handle.close()
    open.clear()
    void log.close()
    log = new KafkaLog(settings, systemClock)
  }
  return {
    prefix,
    settings,
    clock,
    backup: join(folder, 'backup.db'),
    process: (machine = 'here') => ({
      log: new PrefixedLog(log, prefix, made),
      state: tracked(new SqliteStateDirectory(folderOf(machine)), open),
      locks: trackedLocks(new SqliteLocks(folderOf(machine)), open),
      clock,
      ids,
      steps: { enter: () => {} },
    }),
    crash,
    loseDisk: (machine = 'here') => rmSync(folderOf(machine), { recursive: true, force: true }),
    removeTopic: (name) => log.admin().delete(name),
    async end() {
      crash()
      await removeTopics(log, made)
      await log.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Remembers the files that are opened: a crash closes them, and SQLite gives up what was not committed. */
function tracked(state: SqliteStateDirectory, open: Set<{ close(): unknown }>): SqliteStateDirectory {
  return new Proxy(state, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        const result = value.apply(target, args) as StateFile | undefined
        if ((name === 'open' || name === 'jobFile') && result !== undefined) open.add(result)
        return result
      }
    },
  })
}

function trackedLocks(locks: SqliteLocks, open: Set<{ close(): unknown }>): Environment['locks'] {
  return {
    acquire: (name, about) => {
      const lock: Lock = locks.acquire(name, about)
      open.add({ close: () => lock.release() })
      return lock
    },
  }
}
