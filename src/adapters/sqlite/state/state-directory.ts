import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TidemarkError } from '../../../core/errors.ts'
import type { JobFile, StateDirectory, StateFile } from '../../../ports/state-file.ts'
import { copyRefused, noBackup } from '../../state-rules/copy-refused.ts'
import { copyDatabase } from '../copy-database.ts'
import { type Database, openDatabase } from '../database.ts'
import { translateFileError } from '../file-error.ts'
import { makeFolder } from '../folders.ts'
import { freeBytes } from '../free-bytes.ts'
import { SqliteJobFile } from './job-file.ts'
import { JOB_FILE } from './job-schema.ts'
import { SqliteStateFile } from './state-file.ts'
import { StatePaths } from './state-paths.ts'
import { STATE_FILE } from './state-schema.ts'

export interface StateDirectoryOptions {
  /** How long to wait for another process's transaction before STATE_BUSY. */
  readonly busyTimeoutMs?: number
  /** Gives the UUID of a new `job.db`. */
  readonly newId?: () => string
}

/** The state of all jobs under one folder: `<job>/job.db` and `<job>/<generation>.db`. Nothing is made by looking. */
export class SqliteStateDirectory implements StateDirectory {
  readonly #paths: StatePaths
  readonly #busy: { readonly busyTimeoutMs?: number }
  readonly #newId: () => string

  constructor(root: string, { busyTimeoutMs, newId = randomUUID }: StateDirectoryOptions = {}) {
    this.#paths = new StatePaths(root)
    this.#busy = busyTimeoutMs === undefined ? {} : { busyTimeoutMs }
    this.#newId = newId
  }

  open(job: string, generation: string, options: { create: true; readonly?: false }): StateFile
  open(job: string, generation: string, options: { create: boolean; readonly?: boolean }): StateFile | undefined
  open(job: string, generation: string, options: { create: boolean; readonly?: boolean }): StateFile | undefined {
    const mode = options.readonly ? 'read' : options.create ? 'create' : 'write'
    const db = openDatabase(this.pathOf(job, generation), STATE_FILE, { mode, ...this.#busy })
    return db === undefined ? undefined : new SqliteStateFile(db)
  }

  generations(job: string): readonly string[] {
    return this.#databases(this.#paths.job(job)).filter((name) => name !== 'job')
  }

  jobs(): readonly string[] {
    return this.#folders().filter((name) => this.#databases(join(this.#paths.root, name)).length > 0)
  }

  /** The WAL first: one that outlived its file would be played into the next file of that name. */
  remove(job: string, generation: string): void {
    const path = this.pathOf(job, generation)
    this.#foldWal(path)
    this.#files(path, () => {
      for (const suffix of ['-wal', '-shm', '']) rmSync(`${path}${suffix}`, { force: true })
    })
  }

  async restore(job: string, generation: string, path: string): Promise<void> {
    const target = this.pathOf(job, generation)
    if (this.#files(target, () => statSync(target, { throwIfNoEntry: false })) !== undefined) throw copyRefused(target)
    const backup = openDatabase(path, STATE_FILE, { mode: 'read', ...this.#busy })
    if (backup === undefined) throw noBackup(path)
    try {
      assertSound(backup, path)
      this.#files(target, () => makeFolder(dirname(target)))
      await copyDatabase(backup, STATE_FILE, target)
    } finally {
      backup.close()
    }
  }

  async copy(job: string, generation: string, as: string): Promise<void> {
    const path = this.pathOf(job, generation)
    const original = openDatabase(path, STATE_FILE, { mode: 'read', ...this.#busy })
    if (original === undefined) throw noBackup(path)
    try {
      this.remove(job, as)
      await copyDatabase(original, STATE_FILE, this.pathOf(job, as))
    } finally {
      original.close()
    }
  }

  jobFile(job: string): JobFile {
    const db = openDatabase(this.#paths.jobFile(job), JOB_FILE, { mode: 'create', ...this.#busy })
    return new SqliteJobFile(db, this.#newId)
  }

  pathOf(job: string, generation: string): string {
    return this.#paths.generation(job, generation)
  }

  freeBytes(): number | undefined {
    return freeBytes(this.#paths.root)
  }

  /** So that a removal that is interrupted after the WAL is gone has lost nothing yet. */
  #foldWal(path: string): void {
    try {
      openDatabase(path, STATE_FILE, { mode: 'write', ...this.#busy })?.close()
    } catch {
      // damaged, and about to go
    }
  }

  #databases(folder: string): readonly string[] {
    const names = this.#files(folder, () => readNames(folder))
    return names.filter((name) => name.endsWith('.db')).map((name) => name.slice(0, -'.db'.length))
  }

  #folders(): readonly string[] {
    const { root } = this.#paths
    return this.#files(root, () => readNames(root).filter((name) => statSync(join(root, name)).isDirectory()))
  }

  #files<T>(path: string, work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw translateFileError(error, { what: 'state directory', path })
    }
  }
}

function readNames(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return []
  return readdirSync(folder).sort()
}

function assertSound(db: Database, path: string): void {
  const says = db.pragma('quick_check(1)', { simple: true })
  if (says === 'ok') return
  throw new TidemarkError('STATE_DAMAGED', `backup ${path} is damaged (${says})`, { hint: 'Restore another one.' })
}
