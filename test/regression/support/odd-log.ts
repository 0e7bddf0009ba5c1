import type { Log, LogReader } from '../../../src/ports/log.ts'
import type { Change } from './field.ts'

/** A process whose log is the same but for some methods. */
export function withLog(methods: (log: Log) => Partial<Log>): Change {
  return (env) => {
    const replaced = methods(env.log)
    const log = new Proxy(env.log, {
      get(target, name) {
        const value: unknown = Reflect.get(replaced, name) ?? Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return { ...env, log }
  }
}

/** A process that reads in fetches of about `bufferBytes`, and does something before each: it is told how many there were. */
export function withFetches(bufferBytes: number, before: (fetches: number, index: number) => Promise<void>): Change {
  return withLog((log) => ({
    reader: (ranges, options): LogReader => {
      const reader = log.reader(ranges, { ...options, bufferBytes })
      let fetches = 0
      return {
        async next(index) {
          await before(fetches++, index)
          return await reader.next(index)
        },
        close: () => reader.close(),
      }
    },
  }))
}
