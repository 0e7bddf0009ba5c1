import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StateFile } from '../../../src/ports/state-file.ts'
import { BACKENDS, type Backend } from './backends.ts'
import { bytes, COUNTS, row, run, shown, slice, text, valueAt } from './samples.ts'

describe.each(BACKENDS)('a state file (%s)', (_, make) => {
  let backend: Backend
  let file: StateFile
  const open = () => backend.directory.open('orders', 'g1', { create: true })
  beforeEach(() => {
    backend = make()
    file = open()
  })
  afterEach(() => {
    file.close()
    backend.dispose()
  })

  it('commits rows, checkpoint, outbox, run and events together, for other handles too', () => {
    const table = file.table(COUNTS)
    const other = open()
    file.begin()
    table.put(row('a', '1'))
    expect(valueAt(table, 'a')).toBe('1')
    expect(valueAt(other.table(COUNTS), 'a')).toBeUndefined()
    expect(other.checkpoint()).toBeUndefined()
    file.commit(slice(1))
    other.close()
    for (const seen of [file, open()]) {
      expect(valueAt(seen.table(COUNTS), 'a')).toBe('1')
      expect(seen.checkpoint()?.token).toEqual({ seq: 1, id: 'token-1', parent: null })
      expect(text(seen.checkpoint()?.bytes)).toBe('{"seq":1}')
      expect(seen.outbox()?.batches.map((batch) => text(batch.bytes))).toEqual(['b1'])
      expect(seen.run('run-1')?.slices).toBe(1)
      expect(seen.events().map(({ kind, seq }) => `${kind} ${seq}`)).toEqual(['cut 1'])
      seen.close()
    }
  })

  it('replaces checkpoint, outbox and run with each slice, and adds to the events', () => {
    file.commit(slice(1))
    const batches = ['x', 'y', 'a'].map((topic, partition) => ({ topic, partition, records: 1, bytes: bytes(topic) }))
    const next = slice(2)
    file.commit({ ...next, outbox: { ...next.outbox, endsRun: true, batches } })
    expect(file.checkpoint()?.token).toEqual({ seq: 2, id: 'token-2', parent: 'token-1' })
    expect(file.outbox()?.token).toEqual({ seq: 2, id: 'token-2', parent: 'token-1' })
    expect(file.outbox()?.endsRun).toBe(true)
    const kept = file.outbox()?.batches.map((batch) => ({ ...batch, bytes: text(batch.bytes) }))
    expect(kept).toEqual(batches.map((batch) => ({ ...batch, bytes: text(batch.bytes) })))
    expect(file.runs()).toEqual([run('run-1', { slices: 2 })])
    expect(file.events().map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('keeps an outbox that promises nothing, and drops a delivered one', () => {
    const { outbox, ...rest } = slice(1)
    file.commit({ ...rest, outbox: { ...outbox, batches: [] } })
    expect(file.outbox()).toEqual({ token: outbox.token, endsRun: false, batches: [] })
    file.dropOutbox()
    expect(file.outbox()).toBeUndefined()
    expect(file.checkpoint()?.token.seq).toBe(1)
    file.dropOutbox()
  })

  it('keeps no reference to what it was given', () => {
    const checkpoint = bytes('{"seq":1}')
    const value = bytes('one')
    const batch = bytes('batch')
    const table = file.table(COUNTS)
    file.begin()
    table.put({ ...row('a', ''), value })
    const given = slice(1)
    const outbox = { ...given.outbox, batches: [{ topic: 'out', partition: 0, records: 1, bytes: batch }] }
    file.commit({ ...given, checkpoint: { ...given.checkpoint, bytes: checkpoint }, outbox })
    for (const given of [checkpoint, value, batch]) given.fill(0)
    table.get('a', 0, 0)?.value.fill(0)
    expect(text(file.checkpoint()?.bytes)).toBe('{"seq":1}')
    expect(valueAt(table, 'a')).toBe('one')
    expect(text(file.outbox()?.batches[0]?.bytes)).toBe('batch')
  })

  it('forgets what is rolled back, and can go on', () => {
    const table = file.table(COUNTS)
    file.begin()
    table.put(row('a', '1'))
    table.put(row('b', '1'))
    file.commit(slice(1))
    file.begin()
    table.put(row('a', '2'))
    table.delete('b', 0, 0)
    table.put(row('c', '2'))
    file.rollback()
    file.rollback()
    expect(shown(table.scan({}))).toEqual(['a@0.0=1', 'b@0.0=1'])
    expect(file.checkpoint()?.token.seq).toBe(1)
    file.begin()
    table.put(row('a', '3'))
    file.commit(slice(2))
    expect(shown(table.scan({}))).toEqual(['a@0.0=3', 'b@0.0=1'])
  })

  it('forgets what was not committed when it is closed', () => {
    const table = file.table(COUNTS)
    file.commit(slice(1))
    file.begin()
    table.put(row('a', '1'))
    file.close()
    const again = open()
    expect(again.table(COUNTS).size()).toBe(0)
    expect(again.checkpoint()?.token.seq).toBe(1)
    again.begin()
    again.close()
  })

  it('lets only one handle have a transaction', () => {
    const other = open()
    file.begin()
    file.begin()
    expect(() => other.begin()).toThrow(expect.objectContaining({ code: 'STATE_BUSY' }))
    expect(() => other.commit(slice(1))).toThrow(expect.objectContaining({ code: 'STATE_BUSY' }))
    expect(() => other.putRun(run('run-2'))).toThrow(expect.objectContaining({ code: 'STATE_BUSY' }))
    file.commit(slice(1))
    other.begin()
    expect(() => file.begin()).toThrow(expect.objectContaining({ code: 'STATE_BUSY' }))
    other.rollback()
    file.begin()
    file.rollback()
    other.close()
  })

  it('writes no row without a transaction', () => {
    const table = file.table(COUNTS)
    for (const write of [() => table.put(row('a', '1')), () => table.delete('a', 0, 0), () => table.expire(0, 5)]) {
      expect(write).toThrow('needs an open transaction')
    }
    expect(table.size()).toBe(0)
  })

  it('refuses a transaction of its own inside another one', async () => {
    file.begin()
    for (const write of [() => file.putRun(run('x')), () => file.putEvents([]), () => file.dropOutbox()]) {
      expect(write).toThrow('is open')
    }
    await expect(async () => file.backup(backend.backupPath('copy.db'))).rejects.toThrow('is open')
    file.rollback()
  })

  it('rolls everything back when a part of the slice cannot be written', () => {
    const table = file.table(COUNTS)
    file.commit(slice(1))
    file.begin()
    table.put(row('a', '1'))
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const events = [{ kind: 'skipped', seq: 2, runId: null, at: 1, detail: circular }] as const
    expect(() => file.commit(slice(2, { events }))).toThrow('circular')
    expect(table.size()).toBe(0)
    expect(file.checkpoint()?.token.seq).toBe(1)
    expect(text(file.outbox()?.batches[0]?.bytes)).toBe('b1')
    expect(file.run('run-1')?.slices).toBe(1)
    file.commit(slice(2))
    expect(file.checkpoint()?.token.seq).toBe(2)
  })

  it('tells the bytes of a WAL that cannot be folded: none here', () => {
    file.commit(slice(1))
    expect(file.truncateWal()).toBe(0)
  })
})
