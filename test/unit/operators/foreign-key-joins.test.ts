import { json, string, topic } from 'tidemark'
import { expect, it } from 'vitest'
import { toByteString } from '../../../src/core/bytes.ts'
import { NO_HEADERS } from '../../../src/core/headers.ts'
import { StoreReader } from '../../../src/runtime/stores/store-reader.ts'
import { type Emitted, PipedJob } from '../runtime-task/piped-job.ts'
import { anyOut, open, out } from '../runtime-task/topics.ts'

const lefts = open<string>('lefts')
const rights = open<string>('rights')
const lists = open<readonly string[]>('lists')

const shown = (emitted: readonly Emitted[]) => emitted.map(({ key, value, at }) => `${key}:${value}@${at}`)
const pair = (one: string, other: string) => `${one}-${other}`

function joining(roundTrips = false): PipedJob {
  return new PipedJob(
    ({ table }) => {
      table(lefts)
        .join(table(rights), (value) => value, pair, 'joined')
        .toStream()
        .to(out)
    },
    4,
    10,
    roundTrips,
  )
}

it.each([false, true])(
  'a changed row reaches all that refer to it, by their keys (exchanges encode: %s)',
  (roundTrips) => {
    const piped = joining(roundTrips)
    for (const key of ['c', 'a', 'b']) piped.pipe(lefts, { key, value: 'x', at: 5, partition: key.charCodeAt(0) % 3 })
    piped.pipe(lefts, { key: 'd', value: 'xx', at: 5 })
    piped.restart()
    expect(shown(piped.pipe(rights, { key: 'x', value: 'one', at: 3 }))).toEqual([
      'a:x-one@3',
      'b:x-one@3',
      'c:x-one@3',
    ])
    expect(shown(piped.pipe(lefts, { key: 'a', value: 'xx', at: 9 }))).toEqual(['a:null@9'])
    expect(shown(piped.pipe(rights, { key: 'x', value: 'two', at: 4 }))).toEqual(['b:x-two@4', 'c:x-two@4'])
  },
)

it('rows that refer to one are found by its key alone', () => {
  const piped = joining()
  for (const [key, value] of [
    ['a', 'x'],
    ['b', 'y'],
    ['c', 'x'],
    ['d', 'xx'],
  ] as const)
    piped.pipe(lefts, { key, value })
  piped.views.flush()
  const keys = (query: object) =>
    [...new StoreReader(piped.file, piped.job, 'joined-subscriptions').entries(query)].map(({ key }) => key)
  const x = [
    { foreignKey: 'x', key: 'a' },
    { foreignKey: 'x', key: 'c' },
  ]
  expect(keys({ prefix: 'x' })).toEqual(x)
  expect(keys({ key: 'x' })).toEqual(x)
  expect(keys({ key: x[1] })).toEqual([x[1]])
  expect(keys({})).toHaveLength(4)
})

it('an answer to a value that the row no longer has is left out, and counted', () => {
  const piped = new PipedJob(({ stream, table }) => {
    stream(lists)
      .flatMapValues((values) => values ?? [])
      .toTable('rows', string())
      .join(table(rights), (value) => value, pair, 'joined')
      .toStream()
      .to(out)
  })
  piped.pipe(rights, { key: 'x', value: 'one' })
  piped.pipe(rights, { key: 'y', value: 'two' })
  expect(shown(piped.pipe(lists, { key: 'a', value: ['x', 'y'] }))).toEqual(['a:y-two@0'])
  expect(piped.counts.joined).toEqual({ skipped: { stale: 1 } })
})

it('rows without a foreign key are counted by an inner join', () => {
  const piped = new PipedJob(({ table }) => {
    table(rights)
      .join(
        table(lists),
        (value) => (value === 'none' ? null : value),
        (one) => one,
        'joined',
      )
      .toStream()
      .to(out)
  })
  expect(piped.pipe(rights, { key: 'a', value: 'none' })).toEqual([])
  expect(piped.counts['joined:subscribe']).toEqual({ skipped: { 'null-foreign-key': 1 } })
})

it('keys keep their bytes, whatever their spelling', () => {
  const spelled = topic('spelled', { key: json<{ id: number }>(), value: string() })
  const piped = new PipedJob(({ table }) => {
    table(spelled)
      .leftJoin(
        table(rights),
        (value) => value,
        (one, other) => `${one}-${other}`,
        'joined',
        { result: string() },
      )
      .toStream()
      .to(anyOut)
  })
  const source = piped.job.topology.nodes.find(({ kind }) => kind === 'table-source')
  const bytes = Buffer.from('x')
  const record = {
    topic: 'spelled',
    partition: 0,
    offset: 0,
    headers: NO_HEADERS,
    rawKey: toByteString(Buffer.from('{ "id": 1 }')),
    bytes,
    valueStart: 0,
    valueEnd: 1,
  }
  piped.processor.feed(source?.id ?? -1, 0, record, { id: 1 }, 'x', 5)
  expect(piped.raw.map(({ key, value }) => [key, value])).toEqual([['{ "id": 1 }', '"x-null"']])
  expect(piped.store('joined')).toEqual([[{ id: 1 }, 'x-null']])
})
