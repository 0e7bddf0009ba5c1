import { type Duration, durationMs } from '../../core/duration.ts'
import type { Windowed } from '../../core/windowed.ts'
import type { Serde } from '../serde.ts'
import { windowedSerde } from './windowed-serde.ts'

/**
 * Keys of tumbling, hopping and sliding windows, as Kafka Streams' time-windowed serde writes them: the key, then the start
 * in eight bytes. The end is not written: it is the start and `size`, for sliding windows their difference.
 */
export function timeWindowed<K>(key: Serde<K>, size: Duration): Serde<Windowed<K>> {
  const sizeMs = durationMs(size, 'size')
  return windowedSerde(`time-windowed(${key.format}, ${sizeMs} ms)`, key, {
    times: 1,
    write: (start) => [start, 0],
    start: (start) => start,
    end: (start) => start + sizeMs,
  })
}
