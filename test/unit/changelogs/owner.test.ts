import { describe } from 'vitest'
import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryCluster } from '../../../src/adapters/memory/log-cluster.ts'
import { MemoryStateDirectory } from '../../../src/adapters/memory/state-directory.ts'
import { MemoryLocks } from '../../../src/adapters/memory/state-locks.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { ManualClock } from '../../../src/testing/manual-clock.ts'
import { changelogsHaveOneOwner, type Place } from './owned-by.ts'

describe('a changelog in memory', () => {
  changelogsHaveOneOwner(async () => memoryPlace())
})

function memoryPlace(): Place {
  const ids = countedIds()
  const cluster = new MemoryCluster(ids)
  const clock = new ManualClock(1_000_000_000)
  const disks = new Map<string, { readonly state: MemoryStateDirectory; readonly locks: MemoryLocks }>()
  const diskOf = (machine: string) => {
    const disk = disks.get(machine) ?? { state: new MemoryStateDirectory(ids.uuid()), locks: new MemoryLocks() }
    disks.set(machine, disk)
    return disk
  }
  return {
    process: (machine = 'here') => {
      return { log: new MemoryLog(cluster, true), ...diskOf(machine), clock, ids, steps: { enter: () => {} } }
    },
    crash: () => {
      for (const { state, locks } of disks.values()) {
        state.crash()
        locks.crash()
      }
    },
    loseDisk: (machine = 'here') => void disks.delete(machine),
    clock,
  }
}
