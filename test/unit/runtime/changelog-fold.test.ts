import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChangelogFold, type LastWord } from '../../../src/runtime/changelogs/changelog-fold.ts'
import { changelogKey, type RowAddress } from '../../../src/runtime/changelogs/changelog-key.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

const address = fc.record({
  key: fc.string({ maxLength: 2, unit: fc.constantFrom('a', 'b', '\u00ff') }),
  time: fc.oneof(fc.nat(300), fc.maxSafeNat()),
  // sessions have times here
  ordinal: fc.oneof(fc.nat(1), fc.maxSafeNat()),
})
const record = fc.record({ address, value: fc.option(fc.string({ maxLength: 3 })), timestamp: fc.nat(1000) })
const slices = fc.array(fc.record({ records: fc.array(record, { maxLength: 12 }), sorted: fc.boolean() }), {
  maxLength: 4,
})
const shape = fc.constantFrom('key-value' as const, 'window' as const, 'key-time' as const)

/** As the stores of each shape lie on disk. */
function inOrder(shape: string, left: RowAddress, right: RowAddress): number {
  const by = shape === 'window' ? (['time', 'key'] as const) : (['key', 'time', 'ordinal'] as const)
  for (const column of by) if (left[column] !== right[column]) return left[column] < right[column] ? -1 : 1
  return 0
}

function told({ key, time, ordinal, task, value, ...row }: LastWord) {
  const text = value === null ? null : Buffer.from(value).toString('latin1')
  return { key, time, ordinal, task, value: text, timestamp: 'timestamp' in row ? row.timestamp : null }
}

it('a fold gives the last record of each row and task, whatever the order in which records come', () => {
  const property = fc.property(shape, fc.array(slices, { minLength: 1, maxLength: 3 }), (shape, partitions) => {
    const fold = new ChangelogFold(shape)
    const cursor = new RecordCursor()
    const last = new Map<string, ReturnType<typeof told>>()
    for (const [task, ofTask] of partitions.entries()) {
      for (const { records, sorted } of ofTask) {
        const writer = new BatchWriter()
        const inTurn = sorted ? [...records].sort((a, b) => inOrder(shape, a.address, b.address)) : records
        for (const { address, value, timestamp } of inTurn) {
          const row = { key: address.key, time: shape === 'key-value' ? 0 : address.time, ordinal: 0 }
          if (shape === 'key-time') row.ordinal = address.ordinal
          const key = changelogKey(shape, row)
          writer.append(timestamp, key, value === null ? null : Buffer.from(value, 'latin1'), [])
          last.set(`${task} ${key}`, { ...row, task, value, timestamp: value === null ? null : timestamp })
        }
        if (writer.records === 0) continue
        cursor.open(writer.finish())
        while (cursor.next()) fold.take(cursor.key() ?? '', cursor, task)
      }
    }
    const words = fold.lastWords().map((number) => told(fold.word(number)))
    const byRow = (a: RowAddress & { task: number }, b: RowAddress & { task: number }) =>
      inOrder(shape, a, b) || a.task - b.task
    expect([...words].sort(byRow)).toEqual([...last.values()].sort(byRow))
    if (shape !== 'key-time') expect(words).toEqual([...words].sort(byRow))
    fold.clear()
    expect(fold.lastWords()).toEqual([])
  })
  fc.assert(property, propertyRuns(200))
})
