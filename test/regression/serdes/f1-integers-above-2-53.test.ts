import { int64, job, json, string, sum, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { encodeKey } from '../../../src/serde/serde.ts'

const text = (value: string) => Buffer.from(value)

describe('F1: integers above 2^53', () => {
  const records = ['{"id":9007199254740992}', '{"id":9007199254740993}']

  it('are told apart as bigints, as keys and in their bytes', () => {
    const serde = json<{ id: number | bigint }>({ bigints: true })
    const values = records.map((record) => serde.decode(text(record), 0, record.length))
    const ids = json<number | bigint>({ bigints: true })
    expect(new Set(values.map(({ id }) => encodeKey(ids, id))).size).toBe(2)
    expect(values.map((value) => Buffer.from(serde.encode(value)).toString())).toEqual(records)
  })

  it('are bad data where nobody asked for bigints, and never rounded', () => {
    const serde = json<{ id: number }>()
    expect(serde.decode(text('{"id":9007199254740992}'), 0, 23)).toEqual({ id: 2 ** 53 })
    expect(() => serde.decode(text('{"id":9007199254740993}'), 0, 23)).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('bigints: true') }),
    )
  })

  it('add up exactly', () => {
    const ids = topic('ids', { key: string(), value: json<{ id: number | bigint }>({ bigints: true }) })
    const spec = sum(({ id }: { id: number | bigint }) => id)
    const twice = [9007199254740993n, 9007199254740993n].reduce<number | bigint>(
      (total, id) => spec.add(total, { id }, 'a'),
      spec.init(),
    )
    expect(twice).toBe(18014398509481986n)
    expect(spec.serde.decode(spec.serde.encode(twice), 0, 17)).toBe(twice)
    job('sums', {}, ({ stream }) => {
      stream(ids)
        .groupByKey()
        .aggregate(
          'sum',
          sum(({ id }) => id),
        )
    })
  })

  it('are refused where a sum of numbers would round', () => {
    const spec = sum((value: number) => value)
    expect(() => spec.add(Number.MAX_SAFE_INTEGER, 2, 'a')).toThrowError(
      expect.objectContaining({ code: 'BAD_DATA', hint: expect.stringContaining('BigInt') }),
    )
    expect(spec.add(0.1, 0.2, 'a')).toBe(0.1 + 0.2)
  })

  it('are whole in eight bytes', () => {
    const bytes = int64().encode(9007199254740993n)
    expect(int64().decode(bytes, 0, 8)).toBe(9007199254740993n)
  })
})
