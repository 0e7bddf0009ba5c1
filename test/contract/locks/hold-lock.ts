import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'

// Takes the lock, forgets it, and lives on: the garbage collector must not free it.
const [root = '', name = '', about = ''] = process.argv.slice(2)
new SqliteLocks(root).acquire(name, about)
globalThis.gc?.()
setTimeout(() => {
  globalThis.gc?.()
  process.stdout.write('ready\n')
}, 0)
process.stdin.resume()
