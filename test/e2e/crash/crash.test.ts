import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { startIn, workplace } from '../helpers/tidemark.ts'
import { crashTests } from './crash-tests.ts'
import { importInputs, JOB } from './till.ts'

describe('a run that is killed and started again', () => {
  const input = workplace()
  const runs = workplace()

  crashTests({
    async prepare() {
      await importInputs(input)
      expect(await input.run(['plan', JOB])).toMatchObject({ status: 0 }) // the job file is compiled once
    },
    async chain() {
      const folder = mkdtempSync(join(runs.path, 'run-'))
      cpSync(input.path, folder, { recursive: true })
      return {
        folder,
        job: 'till',
        output: (topic) => topic,
        start: (args, env) => startIn(folder, args, env),
        openLog: () => SqliteLog.open(join(folder, '.tidemark', 'log.db')),
      }
    },
  })
})
