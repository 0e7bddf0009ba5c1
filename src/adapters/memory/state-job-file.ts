import type { GenerationRow, JobFile } from '../../ports/state-file.ts'

/** A job's list of generations, in memory. The instance is given, so that tests repeat. */
export class MemoryJobFile implements JobFile {
  readonly #instance: string
  readonly #rows: Map<string, GenerationRow>

  constructor(instance: string, rows: Map<string, GenerationRow>) {
    this.#instance = instance
    this.#rows = rows
  }

  instance(): string {
    return this.#instance
  }

  generations(): readonly GenerationRow[] {
    return structuredClone([...this.#rows.values()])
  }

  putGeneration(row: GenerationRow): void {
    this.#rows.set(row.name, structuredClone(row))
  }

  removeGeneration(name: string): void {
    this.#rows.delete(name)
  }

  close(): void {
    // nothing is held
  }
}
