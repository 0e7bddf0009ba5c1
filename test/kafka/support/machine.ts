import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { toByteString } from '../../../src/core/bytes.ts'
import { decodeCheckpoint } from '../../../src/core/checkpoint.ts'
import { type Started, startIn } from '../../e2e/helpers/tidemark.ts'
import { unique } from './logs.ts'
import { testSettings } from './settings.ts'

const JOB = fileURLToPath(new URL('./case-job.ts', import.meta.url))

/** The job of `case-job.ts` on a broker, under names of its own. */
export class MachineJob {
  readonly bootstrap: string
  readonly name = unique('case')
  readonly log: KafkaLog

  constructor(bootstrap: string) {
    this.bootstrap = bootstrap
    this.log = new KafkaLog(testSettings(bootstrap), systemClock)
    onTestFinished(() => this.log.close())
  }

  get input(): string {
    return `in-${this.name}`
  }

  get output(): string {
    return `out-${this.name}`
  }

  /** A machine with a state directory of its own. */
  machine(): Machine {
    return new Machine(this)
  }
}

/** A folder where the real binary runs. */
export class Machine {
  readonly path = mkdtempSync(join(tmpdir(), 'tidemark-machine-'))
  readonly #job: MachineJob
  #runs = 0

  constructor(job: MachineJob) {
    this.#job = job
    onTestFinished(() => rmSync(this.path, { recursive: true, force: true }))
  }

  /** Starts `tidemark run`; it ends with the test at the latest. */
  run(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Started & { readonly steps: string } {
    const steps = `steps-${++this.#runs}`
    const { child, ended } = startIn(this.path, ['run', JOB, '--json', ...args], {
      TIDEMARK_LOG: `kafka://${this.#job.bootstrap}`,
      TIDEMARK_STEP_FILE: steps,
      CASE_NAME: this.#job.name,
      ...env,
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    return { child, ended, steps }
  }

  write(file: string): void {
    writeFileSync(join(this.path, file), '')
  }

  /** Resolves when the file is there and holds `text`. */
  async appears(file: string, text = ''): Promise<void> {
    const path = join(this.path, file)
    const isThere = () => existsSync(path) && readFileSync(path, 'utf8').includes(text)
    await new Promise<void>((resolve) => {
      const watcher = watch(this.path, () => isThere() && settle())
      const settle = () => {
        watcher.close()
        resolve()
      }
      if (isThere()) settle()
    })
  }

  /** The counts, `a=2`, and the next offset to read; undefined before the first commit. */
  state(): { readonly counts: readonly string[]; readonly next: number | undefined } | undefined {
    const state = new SqliteStateDirectory(join(this.path, '.tidemark'))
    const file = state.open(`counting-${this.#job.name}`, 'g1', { create: false, readonly: true })
    const stored = file?.checkpoint()
    try {
      const [identity] = file?.stores() ?? []
      if (file === undefined || stored === undefined || identity === undefined) return undefined
      const counts = [...file.table(identity).scan({})].map(({ key, value }) => `${key}=${toByteString(value)}`)
      return { counts, next: decodeCheckpoint(stored.bytes).offsets[`${this.#job.input}/0`] }
    } finally {
      file?.close()
    }
  }
}
