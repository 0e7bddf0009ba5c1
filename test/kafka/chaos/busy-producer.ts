import { setTimeout } from 'node:timers/promises'
import type { Producer } from 'kafkajs'
import { Chance } from '../../e2e/crash/chance.ts'
import { foreignKafka } from '../support/foreign-producer.ts'
import type { Event } from './chaos-jobs.ts'

const KEYS = 20
const AT_A_TIME = 40
const PAUSE_MS = 150
/** Times go up and down by so much: the partitions are never in step. */
const JITTER_MS = 10_000

/** Another program that writes all the time. A key is always in the same partition. */
export class BusyProducer {
  readonly #producer: Producer
  readonly #topic: string
  readonly #partitions: number
  readonly #chance: Chance
  #written = 0
  #stopped = false
  #working: Promise<void> = Promise.resolve()

  constructor(bootstrap: string, topic: string, partitions: number, seed: number) {
    this.#producer = foreignKafka(bootstrap).producer({
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    })
    this.#topic = topic
    this.#partitions = partitions
    this.#chance = new Chance(seed)
  }

  /** How many records are written. */
  get written(): number {
    return this.#written
  }

  /** Writes so many records, and then more and more. */
  async start(count = 0): Promise<void> {
    await this.#producer.connect()
    if (count > 0) await this.#write(count)
    this.#working = this.#work()
  }

  /** Resolves when all that it has sent is there. Throws where something went wrong. */
  async stop(): Promise<void> {
    this.#stopped = true
    try {
      await this.#working
    } finally {
      await this.#producer.disconnect()
    }
  }

  async #write(count: number): Promise<void> {
    const messages = Array.from({ length: count }, () => this.#message())
    await this.#producer.send({ topic: this.#topic, messages, acks: -1 })
    this.#written += count
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      await this.#write(AT_A_TIME)
      await setTimeout(PAUSE_MS)
    }
  }

  #message() {
    const number = this.#chance.from(0, KEYS - 1)
    const event: Event = { id: this.#chance.from(0, 1_000_000), n: this.#chance.from(-100, 100) }
    const timestamp = Date.now() - this.#chance.from(0, JITTER_MS)
    const partition = number % this.#partitions
    return { key: `k${number}`, value: JSON.stringify(event), timestamp: String(timestamp), partition }
  }
}
