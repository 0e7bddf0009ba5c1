import { mkdirSync } from 'node:fs'
import { json, string } from 'tidemark'
import { SqliteStateDirectory } from '../../src/adapters/sqlite/state/state-directory.ts'
import { NO_HEADERS } from '../../src/core/headers.ts'
import type { RecordContext } from '../../src/operators/operator.ts'
import { Processor } from '../../src/runtime/processor.ts'
import { StoreViews } from '../../src/runtime/stores/store-views.ts'
import { BatchWriter } from '../../src/wire/batch-writer.ts'
import { murmur2 } from '../../src/wire/murmur2.ts'
import { RecordCursor } from '../../src/wire/record-cursor.ts'
import { cpuNs } from './calibration.ts'
import { cpuFigure, type Figure } from './figure.ts'
import counting from './jobs/counting.ts'

const RECORDS = 20_000
const VALUE = '{"user":"user-4711","page":"/item/17","amount":12.34,"ts":1760000000000}'
const KEYS = Array.from({ length: RECORDS }, (_, n) => `user-${(n * 7919) % 10_000}`)
const BYTES = Buffer.from(VALUE)

/** One operation each, CPU ns, the least of seven rounds in this process. */
export async function measureMicro(folder: string): Promise<readonly Figure[]> {
  const whole = json<{ amount: number }>()
  const some = json<{ amount: number }>({ fields: ['amount'] })
  const parsed = whole.decode(BYTES, 0, BYTES.length)
  const batch = encoded()
  return [
    each('micro: a record out of a batch, with its key', () => decoded(batch)),
    each('micro: a record into a batch', encoded),
    each('micro: murmur2 of a key', () => {
      for (const key of KEYS) murmur2(key)
    }),
    each('micro: json, read', () => {
      for (let n = 0; n < RECORDS; n++) whole.decode(BYTES, 0, BYTES.length)
    }),
    each('micro: json, one field of four read', () => {
      for (let n = 0; n < RECORDS; n++) some.decode(BYTES, 0, BYTES.length)
    }),
    each('micro: json, written', () => {
      for (let n = 0; n < RECORDS; n++) whole.encode(parsed)
    }),
    each('micro: a text, read', () => {
      for (let n = 0; n < RECORDS; n++) string().decode(BYTES, 0, 20)
    }),
    ...counted(folder),
  ]
}

function each(name: string, round: () => unknown): Figure {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 7; time++) {
    const began = cpuNs()
    round()
    least = Math.min(least, cpuNs() - began)
  }
  return cpuFigure(name, least / RECORDS, 'ns')
}

function encoded(): Buffer {
  const writer = new BatchWriter()
  for (const [n, key] of KEYS.entries()) writer.append(1_760_000_000_000 + n, key, BYTES, NO_HEADERS)
  return writer.finish()
}

function decoded(batch: Buffer): void {
  const cursor = new RecordCursor()
  cursor.open(batch)
  while (cursor.next()) cursor.key()
}

/** A count by key: the steps and the write-behind, and then its flush into a file. */
function counted(folder: string): readonly Figure[] {
  mkdirSync(folder, { recursive: true })
  const file = new SqliteStateDirectory(folder).open('counting', 'g1', { create: true })
  const { topology } = counting
  const stores = new StoreViews(file, topology, 100_000)
  const counts = () => ({})
  const processor = new Processor({
    topology,
    stores,
    counts,
    exchangePartitions: 1,
    now: 0,
    streamTimes: {},
    emit: () => {},
  })
  const context: RecordContext & { rawKey: string } = {
    topic: 'events',
    partition: 0,
    offset: 0,
    headers: NO_HEADERS,
    rawKey: '',
    bytes: BYTES,
    valueStart: 0,
    valueEnd: BYTES.length,
  }
  const source = topology.nodes.findIndex(({ kind }) => kind === 'stream-source')
  const feed = () => {
    for (const key of KEYS) {
      context.rawKey = key
      processor.feed(source, 0, context, key, VALUE, 1)
    }
  }
  const operators = each('micro: a record counted by key and encoded for its sink', feed)
  file.begin()
  const flush = each('micro: a record counted, with a row to flush for every second', () => {
    feed()
    stores.flush()
  })
  file.rollback()
  file.close()
  return [operators, flush]
}
