import type { Windowed } from '../../core/windowed.ts'
import type { Serde } from '../serde.ts'
import { windowedSerde } from './windowed-serde.ts'

/**
 * Keys of calendar windows: the key, then start and end in eight bytes each, since a day is not always as long. Kafka
 * Streams has no such windows, and so no such serde.
 */
export function calendarWindowed<K>(key: Serde<K>): Serde<Windowed<K>> {
  return windowedSerde(`calendar-windowed(${key.format})`, key, {
    times: 2,
    write: (start, end) => [start, end],
    start: (start) => start,
    end: (_, end) => end,
  })
}
