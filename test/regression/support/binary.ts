import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Job } from 'tidemark'
import { onTestFinished } from 'vitest'
import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { noSteps } from '../../../src/adapters/system/step-file.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { type Ended, type Started, startIn } from '../../e2e/helpers/tidemark.ts'
import { Field, type Place } from './field.ts'

const HERE = { TIDEMARK_LOG: 'sqlite:log.db', TIDEMARK_STATE_DIR: 'state' }

/** A process of the binary that tells of the steps of its commits. */
export interface Process extends Started {
  /** Resolves when it is about to enter this step, or, with `holding`, when it stands still before one. */
  step(text: string): Promise<void>
}

/** A folder where the real binary runs jobs on a log that the test fills; the test looks into log and state. */
export class Binary {
  readonly path = mkdtempSync(join(tmpdir(), 'tidemark-case-'))
  #started = 0
  readonly field = new Field(placeAt(this.path))

  constructor() {
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }))
  }

  stateFile(job: Job): string {
    return join(this.path, 'state', job.name, 'g1.db')
  }

  /** Runs `tidemark …` to its end. */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
    return this.start(args, env).ended
  }

  /** Starts it; it ends with the test at the latest. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Process {
    const steps = `steps-${++this.#started}`
    const { child, ended } = startIn(this.path, args, { ...HERE, TIDEMARK_STEP_FILE: steps, ...env })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    return { child, ended, step: (text) => this.appears(steps, text) }
  }

  write(file: string, content: string): void {
    writeFileSync(join(this.path, file), content)
  }

  /** Resolves when the file is there and holds `text`. */
  async appears(file: string, text = ''): Promise<void> {
    const path = join(this.path, file)
    const there = () => existsSync(path) && readFileSync(path, 'utf8').includes(text)
    await new Promise<void>((resolve) => {
      const watcher = watch(this.path, () => there() && settle())
      const settle = () => {
        watcher.close()
        resolve()
      }
      if (there()) settle()
    })
  }
}

/** The path of a job file in this folder. */
export function jobFile(name: string): string {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url))
}

function placeAt(folder: string): Place {
  const log = SqliteLog.open(join(folder, 'log.db'))
  const state = new SqliteStateDirectory(join(folder, 'state'))
  const locks = new SqliteLocks(join(folder, 'state'))
  const env = { log, state, locks, clock: systemClock, ids: countedIds(), steps: noSteps }
  return { process: () => env, crash: () => {}, end: () => log.close() }
}
