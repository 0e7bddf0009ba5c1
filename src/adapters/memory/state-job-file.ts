import type { GenerationRow, JobFile } from '../../ports/state-file.ts'
import type { MemoryScheduleTable } from './state-schedule-table.ts'

/** What is kept about a job, in memory. It outlives the handles on it. */
export interface KeptJob {
  readonly generations: Map<string, GenerationRow>
  readonly schedule: MemoryScheduleTable
}

/** A job's list of generations and its slots, in memory. The instance is given, so that tests repeat. */
export class MemoryJobFile implements JobFile {
  readonly #instance: string
  readonly #rows: Map<string, GenerationRow>
  readonly schedule: MemoryScheduleTable

  constructor(instance: string, { generations, schedule }: KeptJob) {
    this.#instance = instance
    this.#rows = generations
    this.schedule = schedule
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
