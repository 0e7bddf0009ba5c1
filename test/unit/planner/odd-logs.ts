import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import type { LogReader, TimeQuery } from '../../../src/ports/log.ts'

/** The same log, whose look-up by time knows nothing but that it must not answer with too much. */
export class VagueLog extends MemoryLog {
  override async offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]> {
    return (await this.bounds(queries, 'read_uncommitted')).map(({ start }) => start)
  }
}

/** The same log, which tells what of it was read. */
export class WatchedLog extends MemoryLog {
  readonly opened: string[] = []
  chunks = 0

  override reader(...[ranges, options]: Parameters<MemoryLog['reader']>): LogReader {
    this.opened.push(...ranges.map(({ topic, partition, from, to }) => `${topic}/${partition} ${from}-${to}`))
    const reader = super.reader(ranges, { ...options, bufferBytes: 1 })
    return {
      next: (index) => {
        this.chunks++
        return reader.next(index)
      },
      close: () => reader.close(),
    }
  }
}

/** The same log, to which something happens just before it is asked for a time. */
export class BusyLog extends MemoryLog {
  meanwhile: () => Promise<void> = async () => {}

  override async offsetsForTime(queries: readonly TimeQuery[]): Promise<readonly number[]> {
    await this.meanwhile()
    return super.offsetsForTime(queries)
  }
}
