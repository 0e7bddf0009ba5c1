import { foreignKafka } from './foreign-producer.ts'

/** The broker that leads partition 0 of a topic, as kafkajs hears it from whoever answers; -1 while there is none. */
export async function leaderOf(bootstrap: string, topic: string): Promise<number> {
  const admin = foreignKafka(bootstrap).admin()
  await admin.connect()
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    return topics[0]?.partitions.find(({ partitionId }) => partitionId === 0)?.leader ?? -1
  } finally {
    await admin.disconnect()
  }
}
