import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AT } from '../../../src/wire/batch-layout.ts'
import { lazyLibrary } from '../../../src/wire/codec.ts'
import { codecNamed } from '../../../src/wire/codecs.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampChecksum } from '../../../src/wire/stamp.ts'
import { JAVA_VECTORS } from './java-batches.ts'
import { CODEC_NAMES, writeAll } from './records.ts'

const { compressSync: snappyBlock } = createRequire(import.meta.url)('snappy') as typeof import('snappy')
const { compressFrameSync: lz4Frame } = createRequire(import.meta.url)('lz4-napi') as typeof import('lz4-napi')

const MB = 1024 * 1024
const text = Buffer.from('{"carrier":"UA","dep_delay":12}\n'.repeat(9000))

describe.each(CODEC_NAMES)('the codec %s', (name) => {
  it.each([0, 1, 31, 32 * 1024, 128 * 1024 + 1, text.length])('gives back %d bytes', (length) => {
    const payload = text.subarray(0, length)
    expect(codecNamed(name).decompress(codecNamed(name).compress(payload), MB).equals(payload)).toBe(true)
  })

  it('does not hand out the memory that it was given to compress', () => {
    const payload = Buffer.from('a writer uses its memory again')
    const compressed = codecNamed(name).compress(payload)
    const copy = Buffer.from(compressed)
    payload.fill(0)
    expect(compressed).toEqual(copy)
  })
})

describe.each(CODEC_NAMES.filter((name) => name !== 'none'))('a batch of %s that would grow without bound', (name) => {
  it('is refused before it does', () => {
    const value = Buffer.alloc(20 * MB)
    const batch = writeAll([{ offset: 0, timestamp: 0, key: null, value, headers: [] }], name)
    const cursor = new RecordCursor({ mostPlainBytes: 10 * MB })
    expect(() => cursor.open(batch, { topic: 't', partition: 0 })).toThrow(
      expect.objectContaining({
        code: 'RECORD_BATCH_CORRUPT',
        message: expect.stringMatching(new RegExp(`^its ${name} payload cannot be decompressed: .*\\d{8}`)),
        at: { topic: 't', partition: 0, offset: 0 },
      }),
    )
    new RecordCursor({ mostPlainBytes: 21 * MB }).open(batch)
  })

  it('is refused when it is cut, at any byte', () => {
    const whole = codecNamed(name).compress(text.subarray(0, 500))
    for (let length = 0; length < whole.length; length++) {
      const cut = () => codecNamed(name).decompress(whole.subarray(0, length), MB)
      // A frame of snappy blocks may end after any block: the missing records are noticed in the batch.
      if (name === 'snappy' && length === 16) expect(cut()).toHaveLength(0)
      else expect(cut).toThrow()
    }
  })
})

/** Frames that others write, by hand: each of the bytes `hello, hello!`. */
const plain = 'hello, hello!'
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex')
const utf8Hex = (some: string) => Buffer.from(some).toString('hex')

describe('snappy', () => {
  it('is read without framing too', () => {
    expect(codecNamed('snappy').decompress(snappyBlock(text), MB).equals(text)).toBe(true)
  })

  it('is written with the framing of the Java client, in blocks of 32 KiB', () => {
    const compressed = codecNamed('snappy').compress(text)
    expect(compressed.subarray(0, 16)).toEqual(hex('82534e4150505900 00000001 00000001'))
    const firstBlock = compressed.subarray(20, 20 + compressed.readInt32BE(16))
    expect(codecNamed('snappy').decompress(firstBlock, MB)).toHaveLength(32 * 1024)
  })

  it.each([
    ['a block past the end', '82534e4150505900 00000001 00000001 00000005 00', 'does not fit'],
    ['a block below zero', '82534e4150505900 00000001 00000001 ffffffff 00', 'does not fit'],
    ['a cut block length', '82534e4150505900 00000001 00000001 000000', 'does not fit'],
    ['a length that its bytes cannot make', 'ffffffff0f 00', 'cannot make'],
    ['a length without end', 'ffffffffff', 'no length'],
    ['no bytes', '', 'no length'],
  ])('is refused with %s', (_, digits, message) => {
    expect(() => codecNamed('snappy').decompress(hex(digits), 2 ** 40)).toThrow(message)
  })
})

describe('lz4', () => {
  it('is read with checksums', () => {
    const frame = lz4Frame(text, { contentChecksum: true, blockChecksums: true })
    expect(codecNamed('lz4').decompress(frame, MB).equals(text)).toBe(true)
    for (const position of [frame.length - 1, 20]) {
      const damaged = Buffer.from(frame)
      damaged.writeUInt8(damaged.readUInt8(position) ^ 1, position)
      expect(() => codecNamed('lz4').decompress(damaged, MB)).toThrow()
    }
  })

  it('is read as the Java client frames it, stored blocks included', () => {
    const stored = hex(`04224d18 60 40 82 0d000080 ${utf8Hex(plain)} 00000000`)
    expect(codecNamed('lz4').decompress(stored, MB).toString()).toBe(plain)
  })

  it.each([
    ['no frame', '00112233 60 40 82 00000000', 'not an LZ4 frame'],
    ['another version', '04224d18 a0 40 82 00000000', 'version 1'],
    ['bytes after it', '04224d18 60 40 82 00000000 00', 'does not end where'],
    ['no end', `04224d18 60 40 82 0d000080 ${utf8Hex(plain)}`, 'cut'],
    ['a block past the end', '04224d18 60 40 82 ff000080 00', 'cut'],
    ['a wrong header checksum', `04224d18 60 40 83 0d000080 ${utf8Hex(plain)} 00000000`, 'HeaderChecksum'],
  ])('is refused with %s', (_, digits, message) => {
    expect(() => codecNamed('lz4').decompress(hex(digits), MB)).toThrow(message)
  })
})

describe('zstd', () => {
  const raw = `28b52ffd 20 0d 690000 ${utf8Hex(plain)}`

  it('is read from one frame, or from several with others to skip between', () => {
    expect(codecNamed('zstd').decompress(hex(raw), MB).toString()).toBe(plain)
    const several = hex(`${raw} 502a4d18 02000000 ffff ${raw}`)
    expect(codecNamed('zstd').decompress(several, MB).toString()).toBe(plain + plain)
  })

  it.each([
    ['no frame', '00112233 20 0d', 'not a zstd frame'],
    ['a cut header', '28b52ffd', 'cut'],
    ['a cut block', raw.slice(0, -2), 'cut'],
    ['no last block', `28b52ffd 20 0d 680000 ${utf8Hex(plain)}`, 'cut'],
    ['more bytes than it says', `28b52ffd 20 0c 690000 ${utf8Hex(plain)}`, 'corruption'],
    ['bytes after it', `${raw} 00`, 'cut'],
    ['a wrong checksum', `28b52ffd 24 0d 690000 ${utf8Hex(plain)} 00000000`, 'match checksum'],
  ])('is refused with %s', (_, digits, message) => {
    expect(() => codecNamed('zstd').decompress(hex(digits), MB)).toThrow(message)
  })

  it('is refused when runs of one byte would make too much', () => {
    const run = '02fcff ff'.replaceAll(' ', '')
    const bomb = hex(`28b52ffd 00 88 ${run.repeat(4000)} 010000`)
    expect(() => codecNamed('zstd').decompress(bomb, 100 * MB)).toThrow('above the limit')
  })
})

describe('what the libraries of the Java world frame', () => {
  it.each(JAVA_VECTORS.frames)('is read: %s, %s', (name, _, frame, text, times) => {
    const payload = Buffer.from(text.repeat(times))
    expect(
      codecNamed(name)
        .decompress(Buffer.from(frame, 'base64'), 16 * MB)
        .equals(payload),
    ).toBe(true)
  })
})

describe('gzip', () => {
  it('is read at every level', () => {
    for (const level of [0, 1, 9]) {
      expect(codecNamed('gzip').decompress(gzipSync(text, { level }), MB).equals(text)).toBe(true)
    }
  })
})

describe('a codec whose library is not installed', () => {
  it('is named, and what is tried is no damage', () => {
    const missing = lazyLibrary('zstd', () => {
      throw new Error('Cannot find module')
    })
    expect(missing).toThrow(
      expect.objectContaining({
        code: 'RECORD_BATCH_UNSUPPORTED',
        message: expect.stringContaining('zstd'),
        hint: expect.stringContaining('npm ci'),
      }),
    )
  })
})

describe('A12: a compressed batch whose payload is damaged', () => {
  it.each(CODEC_NAMES.filter((name) => name !== 'none'))('names %s and the place', (name) => {
    const batch = writeAll([{ offset: 0, timestamp: 0, key: 'k', value: text, headers: [] }], name)
    batch.fill(0xee, AT.records, AT.records + 8)
    stampChecksum(batch)
    expect(() => new RecordCursor().open(batch, { topic: 'f', partition: 2 })).toThrow(
      expect.objectContaining({
        code: 'RECORD_BATCH_CORRUPT',
        message: expect.stringContaining(`its ${name} payload cannot be decompressed`),
        at: { topic: 'f', partition: 2, offset: 0 },
      }),
    )
  })
})
