import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import type { Figure } from '../figure.ts'
import { tidemark } from '../process-figures.ts'
import { rate } from './rate.ts'
import { batchesOf, PARTITIONS, RECORDS } from './records.ts'

const JOB = fileURLToPath(new URL('../jobs/counting.ts', import.meta.url))

/** A million keys from their changelog, in a process of its own, from its start to its exit. */
export async function measureRestore(log: KafkaLog, bootstrap: string, folder: string): Promise<Figure> {
  mkdirSync(folder, { recursive: true })
  const run = ['run', JOB, '--log', `kafka://${bootstrap}`]
  const isOurs = ({ name }: { readonly name: string }) =>
    /^(events|counts|counting-.*|tidemark\.counting\..*)$/.test(name)
  if ((await log.describe()).some(isOurs))
    throw new Error('the broker has topics of a restore that was measured before')
  try {
    await log.admin().create({ name: 'events', partitions: PARTITIONS })
    await log.admin().append(batchesOf('events'))
    await tidemark(folder, run)
    rmSync(join(folder, '.tidemark'), { recursive: true })
    const { wallMs } = await tidemark(folder, run)
    return rate('restoring 1,000,000 keys, process start to exit', (RECORDS / wallMs) * 1000)
  } finally {
    for (const topic of (await log.describe()).filter(isOurs)) await log.admin().delete(topic.name)
  }
}
