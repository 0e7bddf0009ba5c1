import type { GenerationRow, JobFile } from '../../ports/state-file.ts'

/** A job's list of generations, in memory. The instance is made of the job's name, so that tests repeat. */
export class MemoryJobFile implements JobFile {
  readonly #job: string
  readonly #rows: Map<string, GenerationRow>

  constructor(job: string, rows: Map<string, GenerationRow>) {
    this.#job = job
    this.#rows = rows
  }

  instance(): string {
    return `memory-${this.#job}`
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
