import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'

// Says which instance it finds or makes, and stays, so that nobody is the only one.
const [root = ''] = process.argv.slice(2)
const file = new SqliteStateDirectory(root).jobFile('orders')
process.stdout.write(`ready\n${file.instance()}\n`)
process.stdin.resume()
