import { type Duration, durationMs } from '../../core/duration.ts'
import type { Windowed } from '../../core/windowed.ts'
import { badData } from '../bad-data.ts'
import type { Serde } from '../serde.ts'
import { windowedSerde } from './windowed-serde.ts'

/**
 * Keys of tumbling, hopping and sliding windows, as Kafka Streams' time-windowed serde writes them: the key, then the start
 * in eight bytes. The end is not written: it is the start and `size`, for sliding windows their difference. Throws BAD_DATA
 * for a window of another size, which would be read with another end.
 */
export function timeWindowed<K>(key: Serde<K>, size: Duration): Serde<Windowed<K>> {
  const sizeMs = durationMs(size, 'size')
  return windowedSerde(`time-windowed(${key.format}, ${sizeMs} ms)`, key, {
    times: 1,
    sizeMs,
    write: (start, end) => {
      if (end !== start + sizeMs) throw otherSize(start, end, sizeMs)
      return [start, 0]
    },
    start: (start) => start,
    end: (start) => start + sizeMs,
  })
}

function otherSize(start: number, end: number, sizeMs: number): Error {
  return badData(
    `a window from ${start} to ${end} is none of ${sizeMs} ms`,
    'Give timeWindowed the size of the windows (of sliding ones the difference); sessions and calendar windows have serdes of their own.',
  )
}
