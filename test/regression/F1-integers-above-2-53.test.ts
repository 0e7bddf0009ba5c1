import { int64, job, json, string, sum, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import type { StateFile } from '../../src/ports/state-file.ts'
import { StoreReader } from '../../src/runtime/stores/store-reader.ts'
import { encodeKey } from '../../src/serde/serde.ts'
import { Field } from './support/field.ts'
import { counting } from './support/jobs.ts'

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

describe.each(['memory', 'embedded'])('F1 in runs (%s)', (world) => {
  const ids = topic('in', { key: string(), value: json<{ id: number | bigint }>({ bigints: true }) })
  const passed = topic('passed', { key: string(), value: json<{ id: number | bigint }>({ bigints: true }) })
  const mapped = topic('mapped', { key: string(), value: json<{ id: number | bigint }>({ bigints: true }) })
  const records = ['a→{"id":9007199254740992}', 'b→{"id":9007199254740993}']

  async function given(...records: readonly string[]): Promise<Field> {
    const field = new Field(world)
    await field.topic('in')
    await field.write('in', ...records)
    return field
  }

  it('two ids are two groups, and values pass as they are', async () => {
    const field = await given(...records)
    const grouping = job('grouping', {}, ({ stream }) => {
      stream(ids).to(passed)
      stream(ids)
        .mapValues((value) => value)
        .to(mapped)
      stream(ids)
        .groupBy(({ id }) => id, json<number | bigint>({ bigints: true }))
        .count('counts')
    })
    await field.run(grouping)
    const env = field.env.state.open('grouping', 'g1', { create: false, readonly: true })
    const rows = [...new StoreReader(env as StateFile, grouping, 'counts').entries()]
    env?.close()
    expect(rows.map(({ key, value }) => [key, value])).toEqual([
      [9007199254740992n, 1],
      [9007199254740993n, 1],
    ])
    for (const name of ['passed', 'mapped']) expect(await field.out(name)).toEqual(records.map((r) => `${r} @0`))
  })

  it('twice the same adds up exactly, over two runs too', async () => {
    const field = await given('a→{"id":9007199254740993}')
    const summing = job('summing', {}, ({ stream }) => {
      stream(ids)
        .groupByKey()
        .aggregate(
          'sums',
          sum(({ id }) => id),
        )
        .toStream()
        .to(topic('sums', { key: string(), value: json<number | bigint>({ bigints: true }) }))
    })
    await field.run(summing)
    await field.write('in', 'a→{"id":9007199254740993}')
    await field.run(summing)
    expect(await field.out('sums')).toEqual(['a→9007199254740993 @0', 'a→18014398509481986 @0'])
  })

  it('offset 9 comes before 10, though not as text', async () => {
    const field = await given(...Array.from({ length: 10 }, () => 'a→1'))
    await field.run(counting(), { to: '9' })
    expect(field.checkpoint(counting())).toEqual({ 'in/0': 9 })
    expect((await field.run(counting(), { to: '10' })).partitions).toEqual([
      { topic: 'in', partition: 0, from: 9, to: 10, records: 1 },
    ])
  })
})
