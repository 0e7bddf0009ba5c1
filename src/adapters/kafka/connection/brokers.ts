import type { Clock } from '../../../ports/clock.ts'
import { ERROR } from '../protocol/error-code.ts'
import { type Metadata, metadataRequest, type TopicMetadata } from '../protocol/metadata.ts'
import { API, type ApiRequest } from '../protocol/request.ts'
import type { HostPort, KafkaSettings } from '../settings/kafka-settings.ts'
import { BrokerLink } from './broker-link.ts'
import { LinkFailure } from './link-failure.ts'
import { Retry } from './retry.ts'

/** For so long it is worth trying what was told of a topic. */
const RECENT_MS = 1000

/** After these, what was told of topics counts no more. */
const CHANGES: ReadonlySet<number> = new Set([API.createTopics, API.deleteTopics, API.createPartitions])

/** The brokers of one cluster, each connected when it is first asked. */
export class Brokers {
  readonly settings: KafkaSettings
  readonly clock: Clock
  readonly #links = new Map<string, BrokerLink>()
  /** As the cluster was when it was last asked. */
  readonly #nodes = new Map<number, HostPort>()
  /** What was told of topics, and when, of the monotonic clock. */
  readonly #recent = new Map<string, { readonly topic: TopicMetadata; readonly at: number }>()
  #cluster: { readonly id: string; readonly at: number } | undefined
  #reached = false
  #closed = false

  constructor(settings: KafkaSettings, clock: Clock) {
    this.settings = settings
    this.clock = clock
  }

  /**
   * Does `attempt` until it succeeds: what fails with LinkFailure is tried again, for `retryForMs`, or for
   * `connectTimeoutMs` while no broker has been reached yet. Throws LOG_UNREACHABLE then, and everything else at once.
   */
  async retried<T>(attempt: () => Promise<T>): Promise<T> {
    const retry = this.retry()
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error
        if (this.#closed) throw closed(error)
        await retry.failed(error)
      }
    }
  }

  /** The pauses of a new task. */
  retry(): Retry {
    const { connectTimeoutMs, retryForMs } = this.settings
    const withinMs = () => (this.#reached ? retryForMs : connectTimeoutMs)
    return new Retry(this.clock, withinMs, this.#reached ? undefined : this.clock.monotonic())
  }

  /** What the cluster is now, with the topics named or all, as any broker says. Throws LinkFailure when none answers. */
  async metadata(topics: readonly string[] | undefined): Promise<Metadata> {
    const metadata = await this.any(metadataRequest(topics))
    this.#learn(metadata)
    return metadata
  }

  /**
   * A topic as it was told a moment ago, or undefined. For those who notice where it is not so any more, and then ask for
   * the metadata.
   */
  recentTopic(name: string): TopicMetadata | undefined {
    const recent = this.#recent.get(name)
    return recent !== undefined && this.#isRecent(recent.at) ? recent.topic : undefined
  }

  /** The cluster's id as it was told a moment ago, or undefined. */
  get recentClusterId(): string | undefined {
    return this.#cluster !== undefined && this.#isRecent(this.#cluster.at) ? this.#cluster.id : undefined
  }

  /** Connects to a broker and hears of the others, for what will be asked soon. What is wrong is told to who asks. */
  connectAhead(): void {
    void this.metadata([]).catch(() => {})
  }

  /** Whether it was told where any broker is. */
  get knowsNodes(): boolean {
    return this.#nodes.size > 0
  }

  /** Asks one broker after the other until one answers. Throws LinkFailure, naming all, when none does. */
  async any<T>(request: ApiRequest<T>): Promise<T> {
    const failures: LinkFailure[] = []
    for (const address of this.#addresses()) {
      try {
        return await this.#sent(address, request)
      } catch (error) {
        if (!(error instanceof LinkFailure)) throw error
        failures.push(error)
      }
    }
    const reasons = failures.map(({ message }) => message).join('; ')
    throw new LinkFailure('no broker answers', reasons, failures.at(-1))
  }

  /** Asks the broker with this id. Throws LinkFailure when it is not known or does not answer. */
  async node<T>(nodeId: number, request: ApiRequest<T>): Promise<T> {
    return this.#sent(this.#addressOf(nodeId), request)
  }

  /** The connection to a broker, for requests of kafkajs' own. Throws LinkFailure. */
  async link(nodeId: number): Promise<BrokerLink> {
    const link = this.#linkTo(this.#addressOf(nodeId))
    await link.connect()
    return link
  }

  /** What is in flight fails. May be called twice. */
  async close(): Promise<void> {
    this.#closed = true
    const links = [...this.#links.values()]
    this.#links.clear()
    await Promise.all(links.map((link) => link.close()))
  }

  async #sent<T>(address: HostPort, request: ApiRequest<T>): Promise<T> {
    const link = this.#linkTo(address)
    if (CHANGES.has(request.key)) this.#recent.clear()
    try {
      const answer = await link.send(request)
      this.#reached = true
      return answer
    } catch (error) {
      if (error instanceof LinkFailure) this.#drop(link)
      throw error
    }
  }

  #linkTo(address: HostPort): BrokerLink {
    if (this.#closed) throw closed()
    const key = keyOf(address)
    const link = this.#links.get(key) ?? new BrokerLink(address, this.settings)
    this.#links.set(key, link)
    return link
  }

  /** A connection that has failed once is not trusted again: whatever comes late on it is lost with it. */
  #drop(link: BrokerLink): void {
    if (this.#links.get(link.address) === link) this.#links.delete(link.address)
    void link.close().catch(() => {})
  }

  #addressOf(nodeId: number): HostPort {
    const address = this.#nodes.get(nodeId)
    if (address === undefined) throw new LinkFailure(`broker ${nodeId}`, 'it is not in the cluster now')
    return address
  }

  #isRecent(at: number): boolean {
    return this.clock.monotonic() - at < RECENT_MS
  }

  #learn({ clusterId, brokers, topics }: Metadata): void {
    const at = this.clock.monotonic()
    this.#cluster = { id: clusterId, at }
    for (const topic of topics) {
      if (topic.errorCode === ERROR.NONE) this.#recent.set(topic.name, { topic, at })
      else this.#recent.delete(topic.name)
    }
    this.#nodes.clear()
    for (const { nodeId, host, port } of brokers) this.#nodes.set(nodeId, { host, port })
  }

  /** Those that are connected first, then those known, then those that the settings name. */
  #addresses(): HostPort[] {
    const all = new Map([...this.#nodes.values(), ...this.settings.brokers].map((each) => [keyOf(each), each]))
    const isUp = (address: HostPort) => this.#links.get(keyOf(address))?.isConnected ?? false
    return [...all.values()].sort((left, right) => Number(isUp(right)) - Number(isUp(left)))
  }
}

function keyOf({ host, port }: HostPort): string {
  return `${host}:${port}`
}

function closed(cause?: Error): Error {
  return new Error('the log is closed', { cause })
}
