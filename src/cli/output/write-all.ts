import { writeSync } from 'node:fs'
import { EXIT } from '../../core/error-codes.ts'

/** A full pipe is asked again after this long, ms. */
const AGAIN_MS = 5

/** Writes a text before it returns, however slow its reader is. Where the reader is gone, nobody is left to be told: it ends the process. */
export function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text, 'utf8')
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') process.exit(EXIT.io)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, AGAIN_MS)
    }
  }
}
