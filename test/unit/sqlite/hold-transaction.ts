import { setTimeout } from 'node:timers/promises'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { COUNTS, row, slice } from '../../contract/state-file/samples.ts'

// Commits a first slice where there is none, begins the next, writes a row, and holds it until it is told to let go.
const [root = ''] = process.argv.slice(2)
const file = new SqliteStateDirectory(root).open('orders', 'g1', { create: true })
const table = file.table(COUNTS)
file.begin()
if (file.checkpoint() === undefined) {
  table.put(row('a', 'committed'))
  file.commit(slice(1))
  file.begin()
}
table.put(row('a', 'not committed'))
process.stdout.write('ready\n')
process.stdin.once('data', async () => {
  await setTimeout(200)
  file.close()
})
