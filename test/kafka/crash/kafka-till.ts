import { cpSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Chain } from '../../e2e/crash/chain.ts'
import { importInputs, JOB } from '../../e2e/crash/till.ts'
import { startIn, type Workplace } from '../../e2e/helpers/tidemark.ts'
import { unique } from '../support/logs.ts'
import { testSettings } from '../support/settings.ts'

/** The till on a broker: all its chains read the same topics, and each begins with no topics of the job's own. */
export class KafkaTill {
  readonly bootstrap: string
  readonly #suffix = `-${unique('till')}`
  readonly #input: Workplace
  readonly #runs: Workplace

  /** The folders stay empty but for what this puts there. */
  constructor(bootstrap: string, input: Workplace, runs: Workplace) {
    this.bootstrap = bootstrap
    this.#input = input
    this.#runs = runs
  }

  /** Where its runs commit, in partition 0. */
  get commitTopic(): string {
    return `tidemark.till${this.#suffix}.commits`
  }

  /** Whether a topic is one of its inputs or of what its runs write. */
  has(topic: string): boolean {
    return topic.includes(this.#suffix)
  }

  /** Brings the input onto the broker. */
  async prepare(): Promise<void> {
    await importInputs(this.#input, this.#env(), this.#suffix)
    expect(await this.#input.run(['plan', JOB], this.#env())).toMatchObject({ status: 0 })
  }

  async chain(): Promise<Chain> {
    await this.#forget()
    const folder = mkdtempSync(join(this.#runs.path, 'run-'))
    cpSync(this.#input.path, folder, { recursive: true })
    return {
      folder,
      job: `till${this.#suffix}`,
      output: (topic) => `${topic}${this.#suffix}`,
      start: (args, env = {}) => startIn(folder, args, { ...this.#env(), ...env }),
      openLog: () => this.openLog(),
    }
  }

  openLog(): KafkaLog {
    return new KafkaLog(testSettings(this.bootstrap), systemClock)
  }

  /** Deletes the topics of the chain before: sinks, changelogs, the commit topic. */
  async #forget(): Promise<void> {
    const log = this.openLog()
    const inputs = ['purchases', 'shops'].map((topic) => `${topic}${this.#suffix}`)
    try {
      for (const { name } of await log.describe()) {
        if (this.has(name) && !inputs.includes(name)) await log.admin().delete(name)
      }
    } finally {
      await log.close()
    }
  }

  #env(): Readonly<Record<string, string>> {
    return { TIDEMARK_LOG: `kafka://${this.bootstrap}`, TILL_INPUT: this.#suffix, TILL_OUTPUT: this.#suffix }
  }
}
