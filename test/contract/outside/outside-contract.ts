import { afterEach, beforeEach, describe } from 'vitest'
import type { Log } from '../../../src/ports/log.ts'
import type { Outside } from '../../../src/ports/outside.ts'
import type { LogHarness, LogUnderTest } from '../log/harness.ts'
import { claimingContract } from './claiming.ts'
import { committingContract } from './committing.ts'

/** What the parts of the suite get: functions, since the log is made anew for each test. */
export interface OutsideTest {
  log(): Log
  name(topic: string): string
  /** The outside of the test's job, in a handle on the log of its own: another process, or the next start. */
  outside(key?: string, job?: string): Promise<Outside>
}

/** What the way out of every log promises, as the port words it. */
export function outsideContract(title: string, harness: LogHarness): void {
  describe(title, () => {
    let lut: LogUnderTest | undefined
    let handles: Log[] = []

    const made = () => {
      if (lut === undefined) throw new Error('a log is there inside tests alone')
      return lut
    }
    const open = async () => {
      const handle = await made().open()
      handles.push(handle)
      return handle
    }
    const test: OutsideTest = {
      log: () => handles[0] as Log,
      name: (topic) => made().name(topic),
      outside: async (key = 'live', job = 'job') => (await open()).outside(made().name(job), key),
    }

    beforeEach(async () => {
      lut = await harness.make()
      const log = await open()
      await log.admin().create({ name: test.name('out'), partitions: 2, settings: { 'max.message.bytes': '1000' } })
    })
    afterEach(async () => {
      for (const handle of handles) await handle.close()
      handles = []
      await lut?.dispose()
      lut = undefined
    })

    describe('committing', () => committingContract(test))
    describe('claiming', () => claimingContract(test))
  })
}
