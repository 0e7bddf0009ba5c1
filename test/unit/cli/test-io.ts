import type { Io } from '../../../src/cli/io.ts'
import { NO_PROGRESS } from '../../../src/cli/output/progress.ts'

export interface TestIo extends Io {
  readonly results: readonly unknown[]
  readonly notices: readonly string[]
  stop(reason: Error): void
}

/** A way out that keeps what is said, with a clock that stands still. */
export function testIo(now = 1_700_000_000_000): TestIo {
  const results: unknown[] = []
  const notices: string[] = []
  const controller = new AbortController()
  return {
    json: true,
    results,
    notices,
    stop: (reason) => controller.abort(reason),
    result: (document) => void results.push(document),
    write: () => Promise.resolve(),
    pieces: (texts) => void results.push([...texts].join('')),
    line: () => {},
    taken: () => Promise.resolve(),
    notice: (text) => void notices.push(text),
    progress: () => Promise.resolve(NO_PROGRESS),
    stopSignal: () => controller.signal,
    now: () => now,
  }
}
