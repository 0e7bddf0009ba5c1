import type { KafkaSettings } from '../../../src/adapters/kafka/settings/kafka-settings.ts'
import { readSettings } from '../../../src/adapters/kafka/settings/read-settings.ts'
import { readSettingsFile } from '../../../src/adapters/kafka/settings/settings-file.ts'

/** How the tests reach `host:port`: impatient. */
export function testSettings(bootstrap: string, query = ''): KafkaSettings {
  const impatient = {
    TIDEMARK_KAFKA_CONNECT_TIMEOUT: '5s',
    TIDEMARK_KAFKA_REQUEST_TIMEOUT: '10s',
    TIDEMARK_KAFKA_RETRY_FOR: '20s',
  }
  return readSettings(`kafka://${bootstrap}?${query}`, impatient, readSettingsFile)
}
