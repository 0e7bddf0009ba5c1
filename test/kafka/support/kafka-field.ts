import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Job, type JobOptions, job, json, string, topic } from 'tidemark'
import { KafkaLog } from '../../../src/adapters/kafka/log.ts'
import type { KafkaSettings } from '../../../src/adapters/kafka/settings/kafka-settings.ts'
import { SqliteLocks } from '../../../src/adapters/sqlite/locks.ts'
import { SqliteStateDirectory } from '../../../src/adapters/sqlite/state/state-directory.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { noSteps } from '../../../src/adapters/system/step-file.ts'
import type { PartitionRange, TopicPartition } from '../../../src/core/offsets.ts'
import { readRange } from '../../contract/log/records.ts'
import { Field, type Place } from '../../regression/support/field.ts'
import { comesTrue } from './comes-true.ts'
import { foreignKafka, foreignTransaction } from './foreign-producer.ts'
import { unique } from './logs.ts'
import { testSettings } from './settings.ts'

/** Where a case is played on a broker: a topic and a job with names of their own. */
export class KafkaField extends Field {
  readonly bootstrap: string
  /** The name of the topic that the job reads; `make` makes it. */
  readonly input = unique('in')
  readonly #job = unique('counting')

  /** Where its state is. */
  readonly folder: string

  /** `query`: settings of the connection. */
  constructor(bootstrap: string, query = '') {
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-kafka-case-'))
    super(placeOn(testSettings(bootstrap, query), folder))
    this.bootstrap = bootstrap
    this.folder = folder
  }

  /** Makes the input topic. */
  make(partitions = 1, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    return this.topic(this.input, partitions, settings)
  }

  at(partition = 0): TopicPartition {
    return { topic: this.input, partition }
  }

  /** Counts the records of each key of the input in the store `counts`. It is always the same job. */
  counting(options: JobOptions = {}): Job {
    const input = topic(this.input, { key: string(), value: json<number>(), nullKey: true, nullValue: true })
    return job(this.#job, options, ({ stream }) => {
      stream(input).groupByKey().count('counts')
    })
  }

  /** The job's next offsets, in the order of the partitions; null before the first commit. */
  positions(generation?: string): readonly number[] | null {
    const checkpoint = this.checkpoint(this.counting(), generation)
    return checkpoint && Object.values(checkpoint)
  }

  counts(generation?: string): readonly string[] | undefined {
    return this.store(this.counting(), 'counts', generation)
  }

  /** A transaction of another client. */
  transaction() {
    return foreignTransaction(foreignKafka(this.bootstrap))
  }

  /** What a reader gives of `[from, to)`: `3a=1`. */
  async read(from: number, to: number, isolation: 'read_committed' | 'read_uncommitted' = 'read_committed') {
    const range: PartitionRange = { ...this.at(), from, to }
    const records = await readRange(this.log, range, { isolation })
    return records.map(({ offset, key, value }) => `${offset}${key}=${value ?? '∅'}`)
  }

  /** Resolves when the log of partition 0 has this end: markers come a little after the transaction's end. */
  async reaches(highWatermark: number): Promise<void> {
    await comesTrue(`the end ${highWatermark}`, async () => {
      const [bounds] = await this.log.bounds([this.at()], 'read_uncommitted')
      return bounds !== undefined && bounds.highWatermark >= highWatermark
    })
  }
}

function placeOn(settings: KafkaSettings, folder: string): Place {
  const open: KafkaLog[] = []
  return {
    process: () => {
      const log = new KafkaLog(settings, systemClock)
      open.push(log)
      const state = new SqliteStateDirectory(folder)
      const ids = { uuid: () => randomUUID() }
      return { log, state, locks: new SqliteLocks(folder), clock: systemClock, ids, steps: noSteps }
    },
    crash: () => {},
    end: async () => {
      for (const log of open) await log.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
