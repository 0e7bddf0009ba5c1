import type { Windowed } from '../../core/windowed.ts'
import type { Serde } from '../serde.ts'
import { windowedSerde } from './windowed-serde.ts'

/** Keys of sessions, as Kafka Streams' session-windowed serde writes them: the key, then end and start in eight bytes each. */
export function sessionWindowed<K>(key: Serde<K>): Serde<Windowed<K>> {
  return windowedSerde(`session-windowed(${key.format})`, key, {
    times: 2,
    write: (start, end) => [end, start],
    start: (_, start) => start,
    end: (end) => end,
  })
}
