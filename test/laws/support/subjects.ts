import fc from 'fast-check'
import { utf8ByteString } from '../../../src/core/bytes.ts'
import { type Header, NO_HEADERS } from '../../../src/core/headers.ts'
import { encodeKey } from '../../../src/serde/serde.ts'
import { TOPOLOGIES } from '../../conformance/topologies/all.ts'
import { type VectorRecord, vectorCases, vectorIds } from '../../conformance/vectors.ts'
import { AGGREGATE_SHAPES } from './aggregate-shapes.ts'
import { CALENDAR_SHAPES } from './calendar-shapes.ts'
import { EDGE_SHAPES } from './edge-shapes.ts'
import type { OperatorShape } from './operator-shape.ts'
import { CLOCKED_SHAPES, PROCESSOR_SHAPES } from './processor-shapes.ts'
import { ALL_SHAPES, buildShape, MEASURES, type RandomRecord, recordsOfLength } from './random-case.ts'
import type { Piece, RawRecord, Subject } from './subject.ts'
import { INPUT, TABLE } from './topics.ts'

/** Enough of them to be cut, sliced and died in. */
const RECORDS = recordsOfLength(36, 48)

/** Those of the vectors, where they are here. */
const OF_VECTORS: readonly Subject[] = (vectorIds() ?? [])
  .filter((id) => TOPOLOGIES[id] !== undefined)
  .map((id) => ({ name: id, pieces: vectorPieces(id), ownTime: id.startsWith('timestamp-'), clocked: false }))

/** Those of our own, for what the vectors do not have. */
const OF_OUR_OWN: readonly Subject[] = [
  ...ALL_SHAPES.map((shape) => ownSubject(shape, (builder, measures) => buildShape(builder, { ...measures, shape }))),
  ...Object.entries({ ...AGGREGATE_SHAPES, ...CALENDAR_SHAPES, ...PROCESSOR_SHAPES, ...EDGE_SHAPES }).map(
    ([name, shape]) => ownSubject(name, shape),
  ),
  ...Object.entries(CLOCKED_SHAPES).map(([name, shape]) => ({ ...ownSubject(name, shape), clocked: true })),
]

/** All topologies whose laws are tried. */
export const SUBJECTS: readonly Subject[] = [...OF_VECTORS, ...OF_OUR_OWN]

function ownSubject(name: string, shape: OperatorShape): Subject {
  const pieces = fc.tuple(MEASURES, RECORDS).map(
    ([measures, records]): Piece => ({
      about: { ...measures, records },
      build: (builder) => shape(builder, measures),
      records: records.map(rawOfItem),
    }),
  )
  return { name, pieces, ownTime: false, clocked: false }
}

function rawOfItem({ topic, partition, key, value, timestamp }: RandomRecord): RawRecord {
  const { key: keys, value: values } = topic === 'in' ? INPUT : TABLE
  return {
    topic,
    place: partition,
    key: key === null ? null : encodeKey(keys, key),
    value: value === null ? null : values.encode(value as never),
    timestamp,
    headers: NO_HEADERS,
  }
}

/** The inputs of a topology as far as it does not fail on them, where that is far enough. */
function vectorPieces(id: string): fc.Arbitrary<Piece> {
  const build = TOPOLOGIES[id] ?? (() => {})
  const pieces = vectorCases(id)
    .map(({ seed, input, failedAt }) => ({ about: { id, seed }, build, records: input.slice(0, failedAt).map(rawOf) }))
    .filter(({ records }) => records.length >= 20)
  return fc.constantFrom(...pieces)
}

function rawOf({ topic, key, value, timestamp, headers = [] }: VectorRecord): RawRecord {
  return {
    topic,
    place: null,
    key: key === null ? null : utf8ByteString(JSON.stringify(key)),
    value: value === null ? null : Buffer.from(JSON.stringify(value), 'utf8'),
    timestamp,
    headers: headers.map(([name, text]): Header => [name, Buffer.from(text, 'utf8')]),
  }
}
