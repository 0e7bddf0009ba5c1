import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileError } from './file-error.ts'

/** A file that appears under its name when it is whole. Throws DISK_FULL, IO_FAILED. */
export class OutputFile {
  readonly #path: string
  readonly #partial: string
  #descriptor: number | undefined

  /** Makes the folder where there is none. A file that is there already is replaced at the end. */
  constructor(path: string) {
    this.#path = path
    this.#partial = `${path}.partial`
    this.#descriptor = this.#named(() => {
      mkdirSync(dirname(path), { recursive: true })
      return openSync(this.#partial, 'w')
    })
  }

  write(bytes: Uint8Array): void {
    const descriptor = this.#descriptor
    if (descriptor === undefined) throw new Error('the file is finished')
    this.#named(() => {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done)
    })
  }

  finish(): void {
    this.#close()
    this.#named(() => renameSync(this.#partial, this.#path))
  }

  /** Leaves what was there before. Does nothing to a finished file. */
  abandon(): void {
    if (this.#descriptor === undefined) return
    this.#close()
    this.#named(() => rmSync(this.#partial, { force: true }))
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  #named<T>(use: () => T): T {
    try {
      return use()
    } catch (error) {
      throw fileError(this.#path, error)
    }
  }
}
