import { MemoryLog } from '../adapters/memory/log.ts'
import { MemoryCluster } from '../adapters/memory/log-cluster.ts'
import { MemoryStateDirectory } from '../adapters/memory/state-directory.ts'
import { MemoryLocks } from '../adapters/memory/state-locks.ts'
import type { Ids } from '../ports/clock.ts'
import type { StepObserver } from '../ports/steps.ts'
import type { Environment } from '../runtime/environment.ts'
import { countedIds } from './counted-ids.ts'
import { ManualClock } from './manual-clock.ts'

/** A machine in memory: log, state, locks and clock. What is committed outlives a crash. */
export class TestMachine {
  readonly clock: ManualClock
  readonly cluster: MemoryCluster
  readonly state = new MemoryStateDirectory()
  readonly ids: Ids = countedIds()
  /** The lines that jobs have printed. */
  readonly printed: string[] = []
  /** Told of each commit step; a test throws from here to crash. */
  steps: StepObserver = { enter: () => {} }
  readonly #locks = new MemoryLocks()

  /** `now` in epoch ms. */
  constructor(now = 0) {
    this.clock = new ManualClock(now)
    this.cluster = new MemoryCluster(this.ids)
  }

  /** The ports as a process on this machine has them. */
  get env(): Environment {
    return {
      log: new MemoryLog(this.cluster),
      state: this.state,
      locks: this.#locks,
      clock: this.clock,
      ids: this.ids,
      steps: { enter: (step) => this.steps.enter(step) },
      print: (line) => void this.printed.push(line),
    }
  }

  /** As if every process had been killed. */
  crash(): void {
    this.state.crash()
    this.#locks.crash()
  }
}
