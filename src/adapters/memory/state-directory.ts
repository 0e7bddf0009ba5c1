import type { JobFile, StateDirectory, StateFile } from '../../ports/state-file.ts'
import { copyRefused, noBackup } from '../state-rules/copy-refused.ts'
import { assertStateName } from '../state-rules/state-name.ts'
import { type Contents, MemoryFile } from './state-contents.ts'
import { MemoryStateFile } from './state-file.ts'
import { type KeptJob, MemoryJobFile } from './state-job-file.ts'
import { MemoryScheduleTable } from './state-schedule-table.ts'

/**
 * State in memory. It stands for the disk: it outlives the handles opened on it, and keeps what they committed. A path
 * of a backup is a name in it.
 */
export class MemoryStateDirectory implements StateDirectory {
  readonly #files = new Map<string, MemoryFile>()
  readonly #jobs = new Map<string, KeptJob>()
  readonly #backups = new Map<string, Contents>()
  readonly #handles = new Set<StateFile>()
  readonly #name: string

  /** Directories of different names are different instances to a log. */
  constructor(name = 'memory') {
    this.#name = name
  }

  open(job: string, generation: string, options: { create: true; readonly?: false }): StateFile
  open(job: string, generation: string, options: { create: boolean; readonly?: boolean }): StateFile | undefined
  open(job: string, generation: string, options: { create: boolean; readonly?: boolean }): StateFile | undefined {
    const path = this.pathOf(job, generation)
    const file = this.#files.get(path) ?? (options.create && !options.readonly ? new MemoryFile() : undefined)
    if (file === undefined) return undefined
    this.#files.set(path, file)
    const handle = new MemoryStateFile(file, options.readonly ?? false, (name, contents) => this.#keep(name, contents))
    this.#handles.add(handle)
    return handle
  }

  /** As if the process had been killed: open handles are closed, and what they had not committed is gone. */
  crash(): void {
    for (const handle of this.#handles) handle.close()
    this.#handles.clear()
  }

  generations(job: string): readonly string[] {
    assertStateName('job', job)
    const prefix = `${job}/`
    const paths = [...this.#files.keys()].filter((path) => path.startsWith(prefix))
    return paths.map((path) => path.slice(prefix.length)).sort()
  }

  jobs(): readonly string[] {
    const jobs = [...this.#files.keys()].map((path) => path.slice(0, path.indexOf('/')))
    return [...new Set([...jobs, ...this.#jobs.keys()])].sort()
  }

  remove(job: string, generation: string): void {
    this.#files.delete(this.pathOf(job, generation))
  }

  async restore(job: string, generation: string, path: string): Promise<void> {
    const target = this.pathOf(job, generation)
    if (this.#files.has(target)) throw copyRefused(target)
    const contents = this.#backups.get(path)
    if (contents === undefined) throw noBackup(path)
    const file = new MemoryFile()
    file.contents = contents
    this.#files.set(target, file)
  }

  async copy(job: string, generation: string, as: string): Promise<void> {
    const path = this.pathOf(job, generation)
    const original = this.#files.get(path)
    if (original === undefined) throw noBackup(path)
    const file = new MemoryFile()
    file.contents = original.contents
    this.#files.set(this.pathOf(job, as), file)
  }

  jobFile(job: string): JobFile {
    assertStateName('job', job)
    let kept = this.#jobs.get(job)
    if (kept === undefined) {
      kept = { generations: new Map(), schedule: new MemoryScheduleTable() }
      this.#jobs.set(job, kept)
    }
    return new MemoryJobFile(`${this.#name}-${job}`, kept)
  }

  pathOf(job: string, generation: string): string {
    assertStateName('job', job)
    assertStateName('generation', generation)
    return `${job}/${generation}`
  }

  freeBytes(): undefined {
    return undefined
  }

  #keep(path: string, contents: Contents): void {
    if (this.#backups.has(path)) throw copyRefused(path)
    this.#backups.set(path, contents)
  }
}
