import { TidemarkError } from '../../core/errors.ts'

const MOST_SHOWN = 5

/** Gathers what is wrong with the rows of a file, so that several can be mended at once. */
export class BadRows {
  readonly #file: string
  readonly #found: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** Takes note of a bad row. Throws BAD_DATA when it has seen enough of them. */
  add(line: number, problem: string): void {
    this.#found.push(`${this.#file}:${line}: ${problem}`)
    if (this.#found.length > MOST_SHOWN) this.throwIfAny()
  }

  /** Throws BAD_DATA with file and line of the first bad rows, if there was one. */
  throwIfAny(): void {
    const [first] = this.#found
    if (first === undefined) return
    const more = this.#found.length > MOST_SHOWN ? ['and more'] : []
    const shown = [...this.#found.slice(0, MOST_SHOWN), ...more]
    const message =
      shown.length === 1 ? first : `${this.#file} has bad rows\n${shown.map((row) => `  ${row}`).join('\n')}`
    throw new TidemarkError('BAD_DATA', message, {
      hint: 'Nothing was imported: an import takes all rows or none. Mend the file, or see `tidemark log import --help`.',
    })
  }
}
