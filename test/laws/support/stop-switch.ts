import type { StopSignal } from '../../../src/runtime/stop-signal.ts'

/** A stop signal with a switch: for runs that end when a test says so. */
export class StopSwitch implements StopSignal {
  readonly code = 'INTERRUPTED'
  readonly #controller = new AbortController()

  get asked(): StopSignal['asked'] {
    return this.signal.aborted ? 'slice' : null
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  readonly press = (): void => this.#controller.abort()
}
