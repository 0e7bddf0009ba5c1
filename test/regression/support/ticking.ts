import { join } from 'node:path'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import type { RunRow } from '../../../src/ports/history.ts'
import type { SlotRow } from '../../../src/ports/schedule-table.ts'
import { Binary, jobFile, type Process } from './binary.ts'

export const TICKING = jobFile('ticking-job')

const JOB = 'ticking'

/** A scheduler that is under way, the real binary. */
export interface Scheduler extends Process {
  /** Resolves when it has said this so many times. */
  said(pattern: RegExp, times?: number): Promise<void>
  /** All that it has said. */
  words(): string
}

/** A folder with the ticking job, for schedulers that come and go. */
export class Ticking {
  readonly binary = new Binary()
  readonly #state = new SqliteStateDirectory(join(this.binary.path, 'state'))

  /** Makes the topic, with records of these keys. */
  async fill(...keys: readonly string[]): Promise<void> {
    await this.binary.field.topic('in')
    await this.write(...keys)
  }

  async write(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.binary.field.write('in', `p0 ${key}→1`)
  }

  start(env: Readonly<Record<string, string>> = {}): Scheduler {
    const process = this.binary.start(['schedule', TICKING], env)
    let words = ''
    let look: () => void = () => undefined
    process.child.stderr?.on('data', (text: string) => {
      words += text
      look()
    })
    return {
      ...process,
      words: () => words,
      said: (pattern, times = 1) =>
        new Promise((resolve, reject) => {
          look = () => {
            if ([...words.matchAll(new RegExp(pattern, 'g'))].length >= times) resolve()
          }
          void process.ended.then(({ status }) => reject(new Error(`it ended with ${status}\n${words}`)))
          look()
        }),
    }
  }

  /** The keys of what was copied so far. */
  async copied(): Promise<readonly string[]> {
    return (await this.binary.field.out('out')).map((note) => note.split('→')[0] ?? '')
  }

  /** Slots so far, oldest first. */
  slots(): readonly SlotRow[] {
    const file = this.#state.jobFile(JOB)
    try {
      return [...file.schedule.slots()].reverse()
    } finally {
      file.close()
    }
  }

  /** Runs so far, oldest first. */
  runs(): readonly RunRow[] {
    const file = this.#state.open(JOB, 'g1', { create: false, readonly: true })
    try {
      return [...(file?.runs() ?? [])].reverse()
    } finally {
      file?.close()
    }
  }
}
