import { join } from 'node:path'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { crashSuite } from './crash-suite.ts'

crashSuite('a run that is killed and started again', async () => ({
  env: {},
  input: '',
  copy: (folder) => ({
    folder,
    env: {},
    prefix: '',
    offsets: true,
    openLog: async () => SqliteLog.open(join(folder, '.tidemark', 'log.db')),
  }),
}))
