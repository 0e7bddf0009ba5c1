import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { batchOf, record, singles } from '../../contract/log/records.ts'
import { type Commit, commitAfter, deliver } from '../../contract/outside/commits.ts'

/** A process of its own that writes to a log until it is killed, or `limit` times, and tells of each success. */
const [path = '', mode, limit = ''] = process.argv.slice(2)
const log = SqliteLog.open(path, { busyTimeoutMs: 60_000 })
const value = 'x'.repeat(20_000)
const at = (partition: number) => ({ topic: 't', partition })

for (let written = 0; written < Number(limit); written++) {
  if (mode === 'append') await append(written)
  else await commit()
  process.stdout.write('done\n')
}
await log.close()

/** Two batches in one partition, one in the other: all or none. */
async function append(number: number): Promise<void> {
  const name = `${process.pid}:${number}`
  const both = singles(at(0), [record(`${name}a`, value), record(`${name}b`, value)])
  await log.admin().append([...both, batchOf(at(1), [record(`${name}c`, value)])])
}

/** The next commit after the one in force, with its number as the key of its one record in each partition. */
async function commit(): Promise<void> {
  const outside = await log.outside('job', 'live')
  const last = (await outside.read()) as Commit | undefined
  const next = commitAfter(last ?? null, 'A', { endsRun: true })
  const key = String(next.token.seq)
  await deliver(outside, [batchOf(at(0), [record(key, value)]), batchOf(at(1), [record(key, value)])], next)
}
