import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import type { Figure } from '../figure.ts'
import { tidemark } from '../process-figures.ts'
import { rate } from './rate.ts'
import { batchesOf, PARTITIONS, RECORDS } from './records.ts'

const JOB = fileURLToPath(new URL('../jobs/counting.ts', import.meta.url))

const TIMES = 3

/** A million keys from their changelog: the restore alone, and a process that does nothing else, from its start to its exit. */
export async function measureRestore(log: KafkaLog, bootstrap: string, folder: string): Promise<readonly Figure[]> {
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
    const processes: number[] = []
    const restores: number[] = []
    for (let time = 0; time < TIMES; time++) {
      rmSync(join(folder, '.tidemark'), { recursive: true })
      processes.push((await tidemark(folder, run)).wallMs)
      restores.push(await restoreMs(folder, bootstrap))
    }
    const name = 'restoring 1,000,000 keys'
    const limit = { kind: 'at-most', value: 3000 } as const
    return [
      rate(name, RECORDS, { wallMs: Math.min(...restores) }, 500_000),
      { name: `${name}, process start to exit`, value: Math.min(...processes), unit: 'ms', limit },
    ]
  } finally {
    for (const topic of (await log.describe()).filter(isOurs)) await log.admin().delete(topic.name)
  }
}

/** As the history has it. */
async function restoreMs(folder: string, bootstrap: string): Promise<number> {
  const { stdout } = await tidemark(folder, ['runs', JOB, '--json', '--log', `kafka://${bootstrap}`])
  const runs = (JSON.parse(stdout) as { runs: { trigger: string; durationMs: number }[] }).runs
  const restore = runs.find(({ trigger }) => trigger === 'restore')
  if (restore === undefined) throw new Error(`nothing was restored: ${stdout}`)
  return restore.durationMs
}
