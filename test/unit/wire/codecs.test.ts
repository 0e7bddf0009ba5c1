import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { AT } from '../../../src/wire/batch-layout.ts'
import { lazyLibrary } from '../../../src/wire/codec.ts'
import { codecNamed } from '../../../src/wire/codecs.ts'
import { lz4Blocks } from '../../../src/wire/lz4-frame.ts'
import { RecordCursor } from '../../../src/wire/record-cursor.ts'
import { stampChecksum } from '../../../src/wire/stamp.ts'
import { JAVA_VECTORS, javaBatch } from './java-batches.ts'
import { CODEC_NAMES, writeAll } from './records.ts'

const { compressSync: snappyBlock } = createRequire(import.meta.url)('snappy') as typeof import('snappy')
const { Encoder } = createRequire(import.meta.url)('@toondepauw/node-zstd') as typeof import('@toondepauw/node-zstd')

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

/** Bytes that do not repeat, with some text of every thousand; the same in every run. */
function noisy(length: number, textOf1000: number): Buffer {
  const bytes = Buffer.alloc(length)
  let state = 1
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    bytes[i] = i % 1000 < textOf1000 ? 65 + (i % 23) : state >>> 24
  }
  return bytes
}

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
  it('is written with the frame of the Java client: blocks of 64 KiB, stored where they would grow', () => {
    const noise = noisy(140_000, 0)
    const frame = codecNamed('lz4').compress(Buffer.concat([text, noise]))
    const java = javaBatch('large values, lz4').bytes.subarray(AT.records, AT.records + 7)
    expect(frame.subarray(0, 7)).toEqual(java)
    const blocks = lz4Blocks(frame)
    expect(blocks.slice(0, -1).map(({ plainBytes }) => plainBytes)).toEqual(blocks.slice(1).map(() => 64 * 1024))
    expect(new Set(blocks.map(({ stored }) => stored))).toEqual(new Set([false, true]))
    expect(
      codecNamed('lz4')
        .decompress(frame, MB)
        .equals(Buffer.concat([text, noise])),
    ).toBe(true)
  })

  it('is read as the Java client frames it, stored blocks included', () => {
    const stored = hex(`04224d18 60 40 82 0d000080 ${utf8Hex(plain)} 00000000`)
    expect(codecNamed('lz4').decompress(stored, MB).toString()).toBe(plain)
  })

  it.each([
    ['no frame', '00112233 60 40 82 00000000', 'not an LZ4 frame'],
    ['another version', '04224d18 a0 40 82 00000000', 'version 1'],
    ['blocks that need one another', '04224d18 40 40 c0 00000000', 'does not allow'],
    ['a dictionary', '04224d18 61 40 00 00000000 00000000', 'does not allow'],
    ['bytes after it', '04224d18 60 40 82 00000000 00', 'does not end where'],
    ['no end', `04224d18 60 40 82 0d000080 ${utf8Hex(plain)}`, 'cut'],
    ['a block past the end', '04224d18 60 40 82 ff000080 00', 'cut'],
    ['literals past the block', '04224d18 60 40 82 02000000 f0ff 00000000', 'block is cut'],
    ['a match past the block', '04224d18 60 40 82 03000000 104100 00000000', 'block is cut'],
    ['a match of what is not there', '04224d18 60 40 82 05000000 1041ff0000 00000000', 'not contained'],
    [
      'a block that is too large',
      `04224d18 60 40 82 00040000 1f410100 ${'ff'.repeat(1019)}00 00000000`,
      'more than 65536',
    ],
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
    ['bytes after it', `${raw} 00`, 'cut'],
    ['a dictionary', `28b52ffd 21 00 0d 690000 ${utf8Hex(plain)}`, 'dictionary'],
    ['a reserved block', `28b52ffd 20 0d 6f0000 ${utf8Hex(plain)}`, 'damaged'],
    ['a content that its blocks cannot hold', `28b52ffd a0 0000 0010 690000 ${utf8Hex(plain)}`, 'claims more'],
  ])('is refused with %s', (_, digits, message) => {
    expect(() => codecNamed('zstd').decompress(hex(digits), MB)).toThrow(message)
  })

  it.each([
    [1, 10],
    [3, 200_000],
    [3, 3_000_000],
    [19, 700_000],
  ])('of level %d is read alike by two libraries, %d bytes long', (level, length) => {
    const payload = Buffer.concat([text, noisy(length, 300), text])
    const compressed = new Encoder(level).encodeSync(payload)
    expect(
      codecNamed('zstd')
        .decompress(compressed, 16 * MB)
        .equals(payload),
    ).toBe(true)
  })

  it('is refused when its window would be moved for minutes', () => {
    const slow = hex(`28b52ffd 00 b8 ${'02001000'.repeat(2000)} 010000`)
    expect(() => codecNamed('zstd').decompress(slow, 2 ** 30)).toThrow('take too long')
  })

  it('is refused when runs of one byte would make too much', () => {
    const run = '02001000'
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
