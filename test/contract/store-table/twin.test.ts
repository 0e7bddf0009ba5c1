import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toByteString } from '../../../src/core/bytes.ts'
import type { StateFile } from '../../../src/ports/state-file.ts'
import type { RowRange, StoreRow, StoreShape, StoreTable } from '../../../src/ports/store-table.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'
import { BACKENDS } from '../state-file/backends.ts'
import { slice } from '../state-file/samples.ts'
import { NaiveTable } from './naive-table.ts'

type Step =
  | { readonly do: 'put' | 'delete' | 'get'; readonly row: StoreRow }
  | { readonly do: 'scan'; readonly range: RowRange }
  | { readonly do: 'expire'; readonly task: number; readonly before: number }
  | { readonly do: 'commit' | 'rollback' | 'reopen' }

const utf8 = (text: string) => toByteString(Buffer.from(text, 'utf8'))
const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('', '\0', 'a', 'a\0', 'ab', 'b', '\x80', '\xff', '\xff\xff', '__proto__') },
  fc.constantFrom('constructor', utf8('é'), utf8('e\u0301'), utf8('\uff61'), utf8('😀'), '\0\0\0\0\0\0\0\x84'),
  fc.uint8Array({ maxLength: 4 }).map((bytes) => toByteString(bytes)),
)
const time = fc.constantFrom(-1, 0, 1, 5, 10, 4_000_000_000_000)
const task = fc.nat({ max: 2 })
const row: fc.Arbitrary<StoreRow> = fc.record({
  key,
  time,
  ordinal: fc.constantFrom(0, 1, 4_000_000_000_000),
  value: fc.uint8Array({ maxLength: 3 }),
  timestamp: fc.constantFrom(-1, 0, 1_700_000_000_000),
  task,
})
const range: fc.Arbitrary<RowRange> = fc.oneof(
  fc.record(
    {
      fromKey: key,
      toKey: key,
      fromTime: time,
      toTime: time,
      task,
      order: fc.constantFrom('time' as const, 'key' as const),
    },
    { requiredKeys: [] },
  ),
  fc
    .record({ fromKey: key, fromTime: time })
    .map((from) => ({ ...from, toKey: `${from.fromKey}\0`, toTime: from.fromTime + 1 })),
  fc
    .record({ fromKey: key, order: fc.constantFrom('time' as const, 'key' as const) })
    .map((from) => ({ ...from, toKey: `${from.fromKey}\0` })),
  fc
    .record({ fromTime: time, order: fc.constantFrom('time' as const, 'key' as const) })
    .map((from) => ({ ...from, toTime: from.fromTime + 1 })),
)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: row.map((row): Step => ({ do: 'put', row })) },
  { weight: 4, arbitrary: row.map((row): Step => ({ do: 'delete', row })) },
  { weight: 4, arbitrary: row.map((row): Step => ({ do: 'get', row })) },
  { weight: 6, arbitrary: range.map((range): Step => ({ do: 'scan', range })) },
  { weight: 2, arbitrary: fc.record({ task, before: time }).map((parts): Step => ({ do: 'expire', ...parts })) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ do: 'commit' }, { do: 'rollback' }, { do: 'reopen' }) },
)

describe.each(BACKENDS)('any use of a store (%s)', (_, make) => {
  it.each(['key-value', 'window', 'key-time'] as const)('does what its naive twin does (%s)', (shape) => {
    const check = (steps: readonly Step[]): void => {
      const backend = make()
      try {
        const open = () => backend.directory.open('orders', 'g1', { create: true })
        playOut(shape, steps, open)
      } finally {
        backend.dispose()
      }
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 60, size: 'max' }), check), propertyRuns(40))
  })

  it.each(['key-value', 'window', 'key-time'] as const)('scans many rows as its naive twin does (%s)', (shape) => {
    const check = (rows: readonly StoreRow[], ranges: readonly RowRange[]): void => {
      const backend = make()
      try {
        const file = backend.directory.open('orders', 'g1', { create: true })
        const table = file.table({ name: 's', shape, format: '' })
        const twin = new NaiveTable(shape)
        file.begin()
        for (const row of rows.map((each) => shaped(shape, each))) {
          table.put(row)
          twin.put(row)
        }
        for (const range of ranges) expect(plain(table.scan(range))).toEqual(plain(twin.scan(range)))
        file.close()
      } finally {
        backend.dispose()
      }
    }
    const many = fc.array(row, { minLength: 150, maxLength: 400, size: 'max' })
    fc.assert(fc.property(many, fc.array(range, { minLength: 8, maxLength: 8 }), check), propertyRuns(8))
  })
})

function playOut(shape: StoreShape, steps: readonly Step[], open: () => StateFile): void {
  let file = open()
  let table: StoreTable = file.table({ name: 's', shape, format: '' })
  const twin = new NaiveTable(shape)
  let committed = twin.rows
  let seq = 0
  for (const step of steps) {
    file.begin()
    switch (step.do) {
      case 'commit':
        seq += 1
        file.commit(slice(seq))
        committed = twin.rows
        break
      case 'rollback':
        file.rollback()
        twin.rows = committed
        break
      case 'reopen':
        file.close()
        file = open()
        table = file.table({ name: 's', shape, format: '' })
        twin.rows = committed
        break
      default:
        expect(answer(table, shape, step)).toEqual(twinAnswer(twin, shape, step))
    }
    expect(plain(table.scan({}))).toEqual(plain(twin.scan({})))
    expect(table.size()).toBe(twin.rows.length)
    for (const task of [0, 1, 2, undefined]) expect(table.latestTime(task)).toBe(twin.latestTime(task))
  }
  file.close()
}

function answer(table: StoreTable, shape: StoreShape, step: Step): unknown {
  if (step.do === 'scan') return plain(table.scan(step.range))
  if (step.do === 'expire') return table.expire(step.task, step.before)
  if (!('row' in step)) return undefined
  const row = shaped(shape, step.row)
  if (step.do === 'put') table.put(row)
  else if (step.do === 'delete') table.delete(row.key, row.time, row.ordinal)
  const found = table.get(row.key, row.time, row.ordinal)
  return found && plain([found])
}

function twinAnswer(twin: NaiveTable, shape: StoreShape, step: Step): unknown {
  if (step.do === 'scan') return plain(twin.scan(step.range))
  if (step.do === 'expire') return twin.expire(step.task, step.before)
  if (!('row' in step)) return undefined
  const row = shaped(shape, step.row)
  if (step.do === 'put') twin.put(row)
  else if (step.do === 'delete') twin.delete(row)
  const found = twin.get(row)
  return found && plain([found])
}

/** A row has 0 where its shape has nothing. */
function shaped(shape: StoreShape, row: StoreRow): StoreRow {
  return { ...row, time: shape === 'key-value' ? 0 : row.time, ordinal: shape === 'key-time' ? row.ordinal : 0 }
}

function plain(rows: Iterable<StoreRow>): readonly unknown[] {
  return Array.from(rows, (row) => ({ ...row, value: Buffer.from(row.value).toString('hex') }))
}
