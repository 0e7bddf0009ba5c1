import type { Clock } from '../../ports/clock.ts'
import type { Environment } from '../../runtime/environment.ts'
import type { Io } from '../io.ts'

/**
 * An environment whose jobs print: to stdout, or to stderr where stdout is to hold one JSON document. Where a run lets others
 * take their turn it waits for whoever reads that, so a slow reader slows it down and memory does not fill with lines.
 */
export function printing<T extends Pick<Environment, 'clock'>>(env: T, io: Io): T & Pick<Environment, 'print'> {
  const print = (line: string) => (io.json ? io.notice(line) : io.line(line))
  const { clock } = env
  const waiting: Clock = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    yield: async () => {
      await clock.yield()
      await io.taken()
    },
  }
  return { ...env, clock: waiting, print }
}
