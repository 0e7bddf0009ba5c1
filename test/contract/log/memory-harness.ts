import { randomUUID } from 'node:crypto'
import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryCluster } from '../../../src/adapters/memory/log-cluster.ts'
import { MemoryTransaction } from '../../../src/adapters/memory/log-transaction.ts'
import type { LogHarness } from './harness.ts'

export const memoryHarness: LogHarness = {
  async make() {
    const cluster = new MemoryCluster({ uuid: randomUUID })
    return {
      open: async () => new MemoryLog(cluster),
      name: (topic) => topic,
      skip: async (at, offsets) => cluster.skip(at, offsets),
      truncate: async (at, offset) => cluster.truncate(at, offset),
      async transaction() {
        const transaction = new MemoryTransaction(cluster)
        return {
          append: async (batches) => transaction.append(batches),
          commit: async () => transaction.commit(),
          abort: async () => transaction.abort(),
        }
      },
      dispose: async () => {},
    }
  },
}
