import { closeSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { StagedBatch } from '../../ports/log.ts'
import { fileError } from './file-error.ts'

const MEMORY_BYTES = 16 * 1024 * 1024
const FRAME_BYTES = 12

/** Holds the batches of one topic until all of them are known to be good: in memory, and past 16 MB in a file. */
export class BatchSpool {
  readonly #topic: string
  readonly #folder: string
  #held: StagedBatch[] = []
  #heldBytes = 0
  #file: { readonly path: string; readonly descriptor: number; bytes: number } | undefined

  /** `folder` is made when it is needed. */
  constructor(topic: string, folder: string) {
    this.#topic = topic
    this.#folder = folder
  }

  /** Keeps the batch. Throws DISK_FULL, IO_FAILED. */
  push(batch: StagedBatch): void {
    this.#held.push(batch)
    this.#heldBytes += batch.bytes.length
    if (this.#heldBytes > MEMORY_BYTES) this.#spill()
  }

  /** Every batch, in the order in which they came. May be asked for again. */
  *batches(): Generator<StagedBatch> {
    if (this.#file !== undefined) yield* this.#filed(this.#file)
    yield* this.#held
  }

  /** Forgets everything. The file, where there was one, is gone. May be called twice. */
  clear(): void {
    this.#held = []
    this.#heldBytes = 0
    if (this.#file === undefined) return
    closeSync(this.#file.descriptor)
    remove(this.#file.path)
    this.#file = undefined
  }

  #spill(): void {
    this.#file ??= create(this.#folder)
    const file = this.#file
    try {
      for (const { partition, records, bytes } of this.#held) {
        const frame = Buffer.alloc(FRAME_BYTES)
        frame.writeUInt32BE(partition, 0)
        frame.writeUInt32BE(records, 4)
        frame.writeUInt32BE(bytes.length, 8)
        file.bytes += write(file.descriptor, frame) + write(file.descriptor, bytes)
      }
    } catch (error) {
      throw fileError(file.path, error)
    }
    this.#held = []
    this.#heldBytes = 0
  }

  *#filed(file: {
    readonly path: string
    readonly descriptor: number
    readonly bytes: number
  }): Generator<StagedBatch> {
    const frame = Buffer.alloc(FRAME_BYTES)
    for (let position = 0; position < file.bytes; ) {
      read(file, frame, position)
      const bytes = Buffer.allocUnsafeSlow(frame.readUInt32BE(8))
      read(file, bytes, position + FRAME_BYTES)
      position += FRAME_BYTES + bytes.length
      yield { topic: this.#topic, partition: frame.readUInt32BE(0), records: frame.readUInt32BE(4), bytes }
    }
  }
}

function create(folder: string): { path: string; descriptor: number; bytes: number } {
  const path = join(folder, `import-${process.pid}-${performance.now().toFixed(0)}.spool`)
  try {
    mkdirSync(folder, { recursive: true })
    const descriptor = openSync(path, 'wx+')
    // Without a name the file goes with its process, however that ends. Windows keeps it until it is closed.
    if (process.platform !== 'win32') unlinkSync(path)
    return { path, descriptor, bytes: 0 }
  } catch (error) {
    throw fileError(path, error)
  }
}

function remove(path: string): void {
  if (process.platform === 'win32') unlinkSync(path)
}

function write(descriptor: number, bytes: Uint8Array): number {
  let done = 0
  while (done < bytes.length) done += writeSync(descriptor, bytes, done)
  return done
}

function read(file: { path: string; descriptor: number }, into: Buffer, position: number): void {
  try {
    for (let done = 0; done < into.length; ) {
      const count = readSync(file.descriptor, into, done, into.length - done, position + done)
      if (count === 0) throw new Error('it ended before its last batch')
      done += count
    }
  } catch (error) {
    throw fileError(file.path, error)
  }
}
