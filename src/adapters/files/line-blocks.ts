import { isUtf8 } from 'node:buffer'
import { closeSync, createReadStream, fstatSync, openSync, type ReadStream, readSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { TidemarkError } from '../../core/errors.ts'
import { fileError } from './file-error.ts'

/** Whole lines of a text file. */
export interface LineBlock {
  /** Every line with its end, but perhaps the file's last one. Without a byte order mark. */
  readonly text: string
  /** Number of the first line, from 1. */
  readonly firstLine: number
  /** Bytes of the file, as it is stored, that have been read so far. */
  readonly bytesRead: number
}

const CHUNK_BYTES = 256 * 1024
const MOST_LINE_BYTES = 64 * 1024 * 1024
const LF = 0x0a

/**
 * The text of a UTF-8 file in blocks of about 256 kB, gunzipped where its content is gzip, whatever it is called. Throws
 * INPUT_MISSING, IO_FAILED, and BAD_DATA with the line for bytes that are not UTF-8 and for lines above 64 MB.
 */
export async function* lineBlocks(path: string): AsyncGenerator<LineBlock> {
  let rest: Buffer = Buffer.alloc(0)
  let firstLine = 1
  const block = (bytes: Buffer, bytesRead: number): LineBlock => {
    const text = decode(bytes, path, firstLine)
    const made = { text: firstLine === 1 ? withoutMark(text) : text, firstLine, bytesRead }
    firstLine += countLines(bytes)
    return made
  }
  let bytesRead = 0
  for await (const chunk of chunks(path)) {
    bytesRead = chunk.bytesRead
    const cut = chunk.bytes.lastIndexOf(LF) + 1
    if (cut > 0) yield block(Buffer.concat([rest, chunk.bytes.subarray(0, cut)]), bytesRead)
    rest = Buffer.concat([cut > 0 ? Buffer.alloc(0) : rest, chunk.bytes.subarray(cut)])
    if (rest.length > MOST_LINE_BYTES) throw badText(path, firstLine, `it is longer than ${MOST_LINE_BYTES} bytes`)
  }
  if (rest.length > 0) yield block(rest, bytesRead)
}

/** The size of a file as it is stored, in bytes. Throws INPUT_MISSING, IO_FAILED, and USAGE for a folder. */
export function storedBytes(path: string): number {
  return inspect(path).bytes
}

function inspect(path: string): { bytes: number; gzip: boolean } {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(2)
      readSync(file, head, 0, 2, 0)
      return { bytes: fstatSync(file).size, gzip: head[0] === 0x1f && head[1] === 0x8b }
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throw fileError(path, error)
  }
}

async function* chunks(path: string): AsyncGenerator<{ bytes: Buffer; bytesRead: number }> {
  const { gzip } = inspect(path)
  const file: ReadStream = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  // pipeline hands an error of the file on to the stream that is read; what it calls back with is that error again.
  const plain = gzip ? pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), () => undefined) : file
  try {
    for await (const bytes of plain) yield { bytes: bytes as Buffer, bytesRead: file.bytesRead }
  } catch (error) {
    throw fileError(path, error)
  } finally {
    file.destroy()
  }
}

function decode(bytes: Buffer, path: string, firstLine: number): string {
  if (isUtf8(bytes)) return bytes.utf8Slice()
  let line = firstLine
  for (let start = 0; start < bytes.length; line++) {
    const next = bytes.indexOf(LF, start) + 1 || bytes.length
    if (!isUtf8(bytes.subarray(start, next))) break
    start = next
  }
  throw badText(path, line, 'it is not UTF-8 text')
}

function badText(path: string, line: number, problem: string): TidemarkError {
  return new TidemarkError('BAD_DATA', `${path}:${line}: ${problem}`, {
    hint: 'Nothing was imported. Only UTF-8 text is read; convert the file, for instance with iconv.',
  })
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function countLines(bytes: Buffer): number {
  let lines = 0
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) lines++
  return lines
}
