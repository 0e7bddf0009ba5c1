import { setTimeout } from 'node:timers/promises'
import type { Admin } from 'kafkajs'

const BROKERS = 3
const LIMIT_MS = 30_000

/**
 * Takes every partition of these topics away from the broker, of three, that leads it: the partition is assigned to the other two,
 * and to all three again when each has another leader. All brokers live.
 */
export async function moveLeaders(admin: Admin, topics: readonly string[]): Promise<void> {
  const before = await leadersOf(admin, topics)
  await assign(admin, before, (leader) => [after(leader), after(after(leader))])
  const limit = performance.now() + LIMIT_MS
  let now = await leadersOf(admin, topics)
  while (!allMoved(before, now)) {
    if (performance.now() > limit) throw new Error(`not all partitions have another leader: ${topics}`)
    await setTimeout(10)
    now = await leadersOf(admin, topics)
  }
  await assign(admin, now, (leader) => [leader, after(leader), after(after(leader))])
}

function after(broker: number): number {
  return (broker % BROKERS) + 1
}

async function assign(admin: Admin, leaders: Leaders, replicasOf: (leader: number) => number[]): Promise<void> {
  await admin.alterPartitionReassignments({
    topics: [...leaders].map(([topic, partitions]) => ({
      topic,
      partitionAssignment: [...partitions].map(([partition, leader]) => ({ partition, replicas: replicasOf(leader) })),
    })),
  })
}

/** The leader of each partition, by topic. */
type Leaders = ReadonlyMap<string, ReadonlyMap<number, number>>

async function leadersOf(admin: Admin, topics: readonly string[]): Promise<Leaders> {
  const { topics: described } = await admin.fetchTopicMetadata({ topics: [...topics] })
  return new Map(
    described.map(({ name, partitions }) => [
      name,
      new Map(partitions.map(({ partitionId, leader }) => [partitionId, leader])),
    ]),
  )
}

function allMoved(before: Leaders, now: Leaders): boolean {
  return [...before].every(([topic, partitions]) =>
    [...partitions].every(([partition, leader]) => ![leader, -1].includes(now.get(topic)?.get(partition) ?? -1)),
  )
}
