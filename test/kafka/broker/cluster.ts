import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { BrokerProcess } from './broker-process.ts'
import { brokersKnown } from './brokers-known.ts'
import { cached } from './cache.ts'
import { freePorts } from './free-ports.ts'
import { kafkaClassPath, QUICK_JAVA, runOrThrow } from './java.ts'
import { type NodePlace, serverProperties } from './server-properties.ts'

const START_LIMIT_MS = 60_000

export interface ClusterOptions {
  readonly nodes?: 1 | 3
  /** Broker settings by Kafka's names, over those that tests get. */
  readonly settings?: Readonly<Record<string, string | number>>
  readonly javaOptions?: readonly string[]
}

/** Brokers of one cluster on loopback ports, in a folder: whoever knows the folder can stop them. */
export class Cluster {
  readonly folder: string
  readonly nodes: readonly BrokerProcess[]
  readonly #ports: readonly number[]
  /** `host:port` of the listeners that want TLS and a login, where there are some. */
  readonly secureBootstrap: string
  readonly #javaOptions: readonly string[]

  private constructor(
    folder: string,
    ports: readonly number[],
    securePorts: readonly number[] = [],
    javaOptions: readonly string[] = [],
  ) {
    this.folder = folder
    this.#ports = ports
    this.secureBootstrap = addresses(securePorts)
    this.#javaOptions = javaOptions
    this.nodes = ports.map((_, index) => new BrokerProcess(join(folder, `node-${index + 1}`)))
  }

  /** `host:port`, with a comma between several. */
  get bootstrap(): string {
    return addresses(this.#ports)
  }

  /** The cluster that was made in this folder. */
  static at(folder: string): Cluster | undefined {
    const file = join(folder, 'ports')
    return existsSync(file) ? new Cluster(folder, JSON.parse(readFileSync(file, 'utf8')) as number[]) : undefined
  }

  /** Makes a cluster and resolves when its brokers answer and know each other. What the folder held is gone. */
  static async start(folder: string, options: ClusterOptions = {}): Promise<Cluster> {
    const count = options.nodes ?? 1
    const ports = await freePorts(3 * count)
    const [clients, controllers, secure] = [0, 1, 2].map((kind) => ports.slice(kind * count, (kind + 1) * count)) as [
      number[],
      number[],
      number[],
    ]
    const cluster = new Cluster(folder, clients, secure, options.javaOptions)
    const places = clients.map((port, index) => {
      const [controllerPort, securePort] = [controllers[index] as number, secure[index] as number]
      return { id: index + 1, port, controllerPort, securePort }
    })
    rmSync(folder, { recursive: true, force: true })
    cluster.#write(places, options.settings ?? {})
    await cluster.restart()
    return cluster
  }

  /** Starts the brokers that do not run, and waits until all answer. */
  async restart(): Promise<void> {
    for (const node of this.nodes) node.start(this.#javaOptions)
    await this.answers()
  }

  /** Resolves when every running broker knows all running ones. */
  async answers(): Promise<void> {
    const limit = Date.now() + START_LIMIT_MS
    const running = [...this.nodes.entries()].filter(([, { pid }]) => pid !== undefined)
    for (const [index, node] of running) {
      while ((await brokersKnown(this.#ports[index] as number)) !== running.length) {
        if (node.pid === undefined) throw new Error(`a broker ended at once\n${node.lastWords}`)
        if (Date.now() > limit) throw new Error(`a broker did not answer in time\n${node.lastWords}`)
        await setTimeout(25)
      }
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop(signal)))
  }

  #write(places: readonly NodePlace[], settings: Readonly<Record<string, string | number>>): void {
    const clusterId = uuid()
    for (const [index, node] of this.nodes.entries()) {
      const data = join(node.folder, 'data')
      mkdirSync(data, { recursive: true })
      const place = places[index] as NodePlace
      writeFileSync(join(node.folder, 'server.properties'), serverProperties(place, places, data, settings))
      copyFileSync(join(formatted(), 'bootstrap.checkpoint'), join(data, 'bootstrap.checkpoint'))
      const meta = { version: 1, 'cluster.id': clusterId, 'node.id': place.id, 'directory.id': uuid() }
      const lines = Object.entries(meta).map(([name, value]) => `${name}=${value}\n`)
      writeFileSync(join(data, 'meta.properties'), lines.join(''))
    }
    writeFileSync(join(this.folder, 'ports'), JSON.stringify(this.#ports))
  }
}

function addresses(ports: readonly number[]): string {
  return ports.map((port) => `127.0.0.1:${port}`).join(',')
}

/** Kafka's way to write an id. */
function uuid(): string {
  return randomBytes(16).toString('base64url')
}

/** What formatting writes is the same for every cluster but for the ids, and costs a second: it is done once. */
function formatted(): string {
  const classPath = kafkaClassPath()
  const version = classPath.split(/[\\/]/).at(-2)
  return cached(`formatted-${version}`, (folder) => {
    const data = join(folder, 'data')
    const config = join(folder, 'server.properties')
    writeFileSync(config, serverProperties(ONE, [ONE], data, {}))
    const tool = ['kafka.tools.StorageTool', 'format', '--cluster-id', uuid(), '-c', config]
    runOrThrow('java', [...QUICK_JAVA, '-cp', classPath, ...tool])
    for (const file of readdirSync(data)) copyFileSync(join(data, file), join(folder, file))
  })
}

const ONE: NodePlace = { id: 1, port: 9092, controllerPort: 9093, securePort: 9094 }
