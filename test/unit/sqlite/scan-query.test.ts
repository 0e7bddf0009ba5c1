import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { ScanQuery } from '../../../src/adapters/sqlite/state/scan-query.ts'
import { createSql, latestTimeSql, layoutOf } from '../../../src/adapters/sqlite/state/store-sql.ts'
import type { RowRange, StoreShape } from '../../../src/ports/store-table.ts'

const LAST = { key: 'k', time: 5, ordinal: 0, value: new Uint8Array(), timestamp: 0, task: 0 }
const WITHIN = { fromKey: 'a', toKey: 'z', fromTime: 1, toTime: 9, task: 0 }
const ONE_KEY = { fromKey: 'a', toKey: 'a\0' }
const ONE_TIME = { fromTime: 4, toTime: 5 }

/** How SQLite goes about the first and the next page of a scan. */
function plans(shape: StoreShape, range: RowRange): readonly string[] {
  const db = new Sqlite(':memory:')
  db.exec(createSql(layoutOf(shape, 's', 1)))
  const query = new ScanQuery(layoutOf(shape, 's', 1), range)
  return [undefined, LAST].flatMap((last) => {
    const page = query.page(last, 10)
    if (page === undefined) return []
    const steps = db.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${page.sql}`).all(...page.parameters)
    return [steps.map(({ detail }) => detail).join('; ')]
  })
}

describe('a page of a scan', () => {
  it.each<[StoreShape, RowRange, string]>([
    ['key-value', { fromKey: 'a', toKey: 'z', task: 0 }, 'PRIMARY KEY (key>? AND key<?)'],
    ['window', WITHIN, 'PRIMARY KEY (time>? AND time<?)'],
    ['window', { ...ONE_TIME, order: 'key' }, 'PRIMARY KEY (time=?'],
    ['key-time', WITHIN, 'PRIMARY KEY (key>? AND key<?)'],
    ['key-time', { ...WITHIN, order: 'time' }, 'INDEX tidemark_by_time_1 (time>? AND time<?)'],
    ['key-time', { ...ONE_KEY, fromTime: 3 }, 'PRIMARY KEY (key=? AND time>?'],
    ['key-time', { ...ONE_KEY, fromTime: 3, order: 'time' }, 'PRIMARY KEY (key=? AND time>?'],
    ['key-time', { ...ONE_KEY, toTime: 3 }, 'PRIMARY KEY (key=?'],
    ['key-time', { ...ONE_TIME, fromKey: 'b' }, 'INDEX tidemark_by_time_1 (time=? AND key>?'],
  ])('is sought in %s for %j', (shape, range, expected) => {
    const [first, next] = plans(shape, range)
    expect(first).toContain(expected)
    for (const plan of [first, next]) {
      expect(plan).toContain('SEARCH')
      expect(plan).not.toContain('TEMP B-TREE')
    }
    expect(new ScanQuery(layoutOf(shape, 's', 1), range).sorts).toBe(false)
  })

  it.each<[StoreShape, RowRange]>([
    ['key-value', {}],
    ['window', {}],
    ['window', { ...ONE_KEY, order: 'key' }],
    ['key-time', {}],
    ['key-time', { order: 'time' }],
    ['key-time', { fromTime: 3 }],
    ['key-time', { order: 'time', fromKey: 'a' }],
    ['key-time', { order: 'time', task: 0 }],
    ['key-time', { fromTime: 3, task: 0 }],
    ['window', { task: 0 }],
  ])('comes unsorted from %s for %j', (shape, range) => {
    for (const plan of plans(shape, range)) expect(plan).not.toContain('TEMP B-TREE')
    expect(new ScanQuery(layoutOf(shape, 's', 1), range).sorts).toBe(false)
  })

  it('has to be sorted where windows are asked for by key', () => {
    expect(plans('window', { order: 'key' })[0]).toContain('TEMP B-TREE')
    expect(new ScanQuery(layoutOf('window', 's', 1), { order: 'key' }).sorts).toBe(true)
  })

  it('is none where there can be no row', () => {
    expect(new ScanQuery(layoutOf('key-value', 's', 1), { fromTime: 1 }).page(undefined, 1)).toBeUndefined()
    expect(new ScanQuery(layoutOf('key-value', 's', 1), ONE_KEY).page(LAST, 1)).toBeUndefined()
  })
})

describe('the latest time', () => {
  it.each([
    ['key-value', true],
    ['window', true],
    ['key-time', true],
    ['key-value', false],
    ['window', false],
    ['key-time', false],
  ] as const)('is found without a sort (%s, of one task: %s)', (shape, ofTask) => {
    const db = new Sqlite(':memory:')
    db.exec(createSql(layoutOf(shape, 's', 1)))
    const sql = `EXPLAIN QUERY PLAN ${latestTimeSql(layoutOf(shape, 's', 1), ofTask)}`
    const steps = db.prepare<unknown[], { detail: string }>(sql).all(...(ofTask ? [0] : []))
    expect(steps.map(({ detail }) => detail)).toHaveLength(1)
  })
})
