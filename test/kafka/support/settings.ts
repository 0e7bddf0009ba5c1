import type { KafkaSettings } from '../../../src/adapters/kafka/settings/kafka-settings.ts'
import { readSettings } from '../../../src/adapters/kafka/settings/read-settings.ts'

/** How the tests reach `host:port`: impatient. */
export function testSettings(bootstrap: string, query = ''): KafkaSettings {
  return readSettings(`kafka://${bootstrap}?connect-timeout=5s&request-timeout=10s&retry-for=20s${query}`, {}, () => '')
}
