import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { cacheFolder } from './cache.ts'
import { Cluster } from './cluster.ts'

const USAGE = `A Kafka broker for tests and trials, on 127.0.0.1. Needs Java 17 and Maven.

  npm run --silent kafka -- start [--nodes 3]   starts it and prints host:port
  npm run --silent kafka -- bootstrap           prints host:port of the running one
  npm run --silent kafka -- stop                ends it

  --folder F   one folder for each cluster; by default one in the cache
`

const { values, positionals } = parseArgs({
  options: { folder: { type: 'string' }, nodes: { type: 'string', default: '1' } },
  allowPositionals: true,
})
const folder = values.folder ?? join(cacheFolder(), 'broker')
const running = Cluster.at(folder)
const isUp = running?.nodes.some(({ pid }) => pid !== undefined) ?? false

switch (positionals[0]) {
  case 'start': {
    const cluster =
      running !== undefined && isUp ? running : await Cluster.start(folder, { nodes: values.nodes === '3' ? 3 : 1 })
    process.stdout.write(`${cluster.bootstrap}\n`)
    break
  }
  case 'bootstrap':
    if (running !== undefined && isUp) process.stdout.write(`${running.bootstrap}\n`)
    else process.exitCode = 1
    break
  case 'stop':
    await running?.stop()
    break
  default:
    process.stderr.write(USAGE)
    process.exitCode = 64
}
