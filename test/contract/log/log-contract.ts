import { afterEach, beforeEach, describe } from 'vitest'
import type { Log } from '../../../src/ports/log.ts'
import { appendingContract } from './appending.ts'
import { compactionContract } from './compaction.ts'
import type { LogFeature, LogHarness, LogUnderTest } from './harness.ts'
import { holesContract } from './holes.ts'
import { lossContract } from './loss.ts'
import { readingContract } from './reading.ts'
import { retentionContract } from './retention.ts'
import { timesContract } from './times.ts'
import { topicsContract } from './topics.ts'
import { watchingContract } from './watching.ts'

/** What the parts of the suite get: functions, since the log is made anew for each test. */
export interface LogTest {
  lut(): LogUnderTest
  /** The first handle of the test's log. */
  log(): Log
  /** Another handle on the same log. All are closed after the test. */
  open(): Promise<Log>
  name(topic: string): string
  lacks(feature: LogFeature): boolean
}

/** What every log promises, as the port words it. */
export function logContract(title: string, harness: LogHarness): void {
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
    const test: LogTest = {
      lut: made,
      open,
      log: () => handles[0] as Log,
      name: (topic) => made().name(topic),
      lacks: (feature) => harness.lacks?.includes(feature) ?? false,
    }

    beforeEach(async () => {
      lut = await harness.make()
      await open()
    })
    afterEach(async () => {
      for (const handle of handles) await handle.close()
      handles = []
      await lut?.dispose()
      lut = undefined
    })

    describe('topics', () => topicsContract(test))
    describe('appending', () => appendingContract(test))
    describe('reading', () => readingContract(test))
    describe('holes', () => holesContract(test))
    describe('watching', () => watchingContract(test))
    describe('loss', () => lossContract(test))
    describe('times', () => timesContract(test))
    describe.skipIf(test.lacks('compact'))('compaction', () => compactionContract(test))
    describe.skipIf(test.lacks('retention'))('retention', () => retentionContract(test))
  })
}
