import { openEnvironment } from '../../../src/compose.ts'
import { job, json, string, topic } from '../../../src/index.ts'
import { Runner } from '../../../src/runtime/runner.ts'

/*
 * A process that runs a job on Kafka and then does nothing more: LOG STATE_DIR TOPIC. It says how many records it read, and
 * ends when nothing holds it.
 */
const [log = '', stateDir = '', name = ''] = process.argv.slice(2)
const env = await openEnvironment({ log, stateDir })
const counting = job(`${name}-job`, {}, ({ stream }) => {
  stream(topic(name, { key: string(), value: json<number>() }))
    .groupByKey()
    .count('counts')
})
const { runs } = await new Runner(env).run({ job: counting, path: 'case.ts', hash: 'hash' }, { trigger: 'test' })
process.stdout.write(`${runs.at(-1)?.partitions.reduce((sum, { records }) => sum + records, 0)}\n`)
await env.log.close()
