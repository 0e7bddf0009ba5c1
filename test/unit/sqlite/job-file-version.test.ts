import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/adapters/sqlite/database.ts'
import { JOB_FILE } from '../../../src/adapters/sqlite/state/job-schema.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'

it('a job file that knows no slots yet gets them when it is opened, and keeps what it has', () => {
  const root = mkdtempSync(join(tmpdir(), 'tidemark-job-file-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const first = { ...JOB_FILE, migrations: JOB_FILE.migrations.slice(0, 1) }
  const old = openDatabase(join(root, 'orders', 'job.db'), first, { mode: 'create' })
  old.exec("INSERT INTO tidemark_instance (one, id) VALUES (1, 'instance-1')")
  old.close()
  const file = new SqliteStateDirectory(root).jobFile('orders')
  expect(file.instance()).toBe('instance-1')
  expect(file.schedule.read()).toEqual({ timetable: null, failures: 0, pause: null })
  file.schedule.pause(1, 'no')
  expect(file.schedule.read().pause?.reason).toBe('no')
  file.close()
})
