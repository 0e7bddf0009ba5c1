import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { startIn, workplace } from '../helpers/tidemark.ts'
import { streamTests } from './stream-tests.ts'

describe('a stream on the embedded log', () => {
  const { path } = workplace()
  const log = SqliteLog.open(join(path, '.tidemark', 'log.db'))
  afterAll(() => log.close())

  streamTests(async () => ({
    folder: path,
    suffix: '',
    start: (args, env) => startIn(path, args, env),
    log: () => log,
  }))
})
