import { formatDuration } from '../../../core/duration.ts'
import type { TidemarkError } from '../../../core/errors.ts'
import type { Clock } from '../../../ports/clock.ts'
import { unreachable } from './unreachable-error.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 2000

/**
 * Pauses between attempts, each twice as long as the one before, within a bound: from `since` on where it is given (of the
 * monotonic clock), else from the first failure in a row on.
 */
export class Retry {
  readonly #clock: Clock
  readonly #withinMs: () => number
  #since: number | undefined
  #pauseMs = FIRST_PAUSE_MS

  constructor(clock: Clock, withinMs: () => number, since?: number) {
    this.#clock = clock
    this.#withinMs = withinMs
    this.#since = since
  }

  /** How many attempts have failed in a row. */
  failures = 0

  /**
   * After a failed attempt: resolves when the next one is due. Throws LOG_UNREACHABLE, with the failure as its cause, when
   * the bound is reached. An aborted signal ends the pause.
   */
  async failed(failure: Error, signal?: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic()
    this.#since ??= now
    this.failures++
    const lastedMs = now - this.#since
    const leftMs = this.#withinMs() - lastedMs
    if (leftMs <= 0) throw this.#given(failure, lastedMs)
    const pauseMs = Math.min(this.#pauseMs, leftMs)
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS)
    await this.#clock.sleep(pauseMs, signal)
  }

  succeeded(): void {
    this.#since = undefined
    this.failures = 0
    this.#pauseMs = FIRST_PAUSE_MS
  }

  #given(failure: Error, lastedMs: number): TidemarkError {
    return unreachable(`${failure.message} (tried ${this.failures} times in ${formatDuration(lastedMs)})`, failure)
  }
}
