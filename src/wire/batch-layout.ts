/** Where the fields of a record batch (magic 2) lie, in bytes from its start. Everything is big-endian. */
export const AT = {
  baseOffset: 0,
  batchLength: 8,
  partitionLeaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  baseSequence: 53,
  recordCount: 57,
  records: 61,
} as const

/** Bytes before the part that `batchLength` counts. */
export const LENGTH_OVERHEAD = AT.partitionLeaderEpoch

/** Bits of the attributes. */
export const ATTRIBUTE = {
  codec: 0x07,
  logAppendTime: 0x08,
  transactional: 0x10,
  control: 0x20,
} as const

export const MAGIC = 2

/** A record's least bytes: length, attributes, two deltas, null key, null value, no headers. */
export const LEAST_RECORD_BYTES = 7

export const NO_TIMESTAMP = -1
