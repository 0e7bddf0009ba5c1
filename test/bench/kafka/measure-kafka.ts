import { join } from 'node:path'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { readSettings } from '../../../src/adapters/kafka/settings/read-settings.ts'
import { readSettingsFile } from '../../../src/adapters/kafka/settings/settings-file.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { Cluster } from '../../kafka/broker/cluster.ts'
import type { Figure } from '../figure.ts'
import { measureStream } from '../measure-stream.ts'
import { measureDelivery } from './measure-delivery.ts'
import { measureReading } from './measure-reading.ts'
import { measureRestore } from './measure-restore.ts'

/** This project beside other clients, on one broker. It is one of its own unless TIDEMARK_TEST_KAFKA names another. */
export async function measureKafka(folder: string): Promise<readonly Figure[]> {
  const given = process.env.TIDEMARK_TEST_KAFKA
  const cluster = given ? undefined : await Cluster.start(join(folder, 'broker'), { javaOptions: FULL_SPEED })
  const bootstrap = given || (cluster?.bootstrap ?? '')
  const log = new KafkaLog(readSettings(`kafka://${bootstrap}`, {}, readSettingsFile), systemClock)
  try {
    const figures = [...(await measureReading(log, bootstrap)), ...(await measureDelivery(log, bootstrap))]
    figures.push(...(await measureRestore(log, bootstrap, join(folder, 'restore'))))
    return [...figures, ...(await measureStream(join(folder, 'stream'), 'on Kafka', `kafka://${bootstrap}`, log))]
  } finally {
    await log.close()
    await cluster?.stop('SIGKILL')
  }
}

/** Brokers of tests start quickly instead. */
const FULL_SPEED = ['-XX:TieredStopAtLevel=4', '-Xmx1g']
