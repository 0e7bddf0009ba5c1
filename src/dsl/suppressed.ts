import type { Duration } from '../core/duration.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import { spanMs } from './span.ts'
import { whereOfCall } from './where-of-call.ts'

/** How much a suppression may hold back in a task. Without a bound: anything, on disk. */
export interface BufferBounds {
  readonly maxRecords?: number
  /** Of keys and values as they are stored. */
  readonly maxBytes?: number
}

export interface TimeLimitOptions extends BufferBounds {
  /** What happens when there is more than that: the oldest changes go out early (default), or the run fails. */
  readonly whenFull?: 'emit' | 'fail'
}

interface Bounds {
  readonly maxRecords: number | null
  readonly maxBytes: number | null
  readonly whenFull: 'emit' | 'fail'
}

/** Windows are held back until they are final. */
export interface UntilWindowCloses extends Bounds {
  readonly until: 'window-close'
}

/** Changes are held back until some time after the first one of their key. */
export interface UntilTimeLimit extends Bounds {
  readonly until: 'time-limit'
  readonly limitMs: number
}

/** Each window once, when it closes. The run fails with BUFFER_FULL where a bound is exceeded. */
export function untilWindowCloses(bounds: BufferBounds = {}): UntilWindowCloses {
  return Object.freeze({ until: 'window-close', ...boundsOf(bounds), whenFull: 'fail' })
}

/** The last change of each key, once `limit` has passed since the first one that was held back. */
export function untilTimeLimit(limit: Duration, options: TimeLimitOptions = {}): UntilTimeLimit {
  const { whenFull = 'emit' } = options
  return Object.freeze({ until: 'time-limit', limitMs: spanMs(limit, 'limit'), ...boundsOf(options), whenFull })
}

function boundsOf({ maxRecords, maxBytes }: BufferBounds): Pick<Bounds, 'maxRecords' | 'maxBytes'> {
  for (const [name, bound] of [
    ['maxRecords', maxRecords],
    ['maxBytes', maxBytes],
  ] as const) {
    if (bound === undefined || (Number.isSafeInteger(bound) && bound > 0)) continue
    throw invalidJob(whereOfCall(), `${name} cannot be ${bound}`, 'Give a whole number, greater than 0.')
  }
  return { maxRecords: maxRecords ?? null, maxBytes: maxBytes ?? null }
}
