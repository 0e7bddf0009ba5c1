/** One node of a cluster: broker and controller in one process. */
export interface NodePlace {
  readonly id: number
  readonly port: number
  readonly controllerPort: number
  /** Of a listener called SECURE, for TLS with a login; it is there when the settings say how it is secured. */
  readonly securePort: number
}

/** What the tests need to happen soon happens soon; nothing is kept for the sake of speed or safety. */
const QUICK: Readonly<Record<string, string | number>> = {
  'auto.create.topics.enable': 'true', // a topic that is asked for must not appear, although it could
  'group.initial.rebalance.delay.ms': 0,
  'offsets.topic.num.partitions': 1,
  'transaction.state.log.num.partitions': 2,
  'share.coordinator.state.topic.num.partitions': 1,
  'transaction.abort.timed.out.transaction.cleanup.interval.ms': 500,
  'log.retention.ms': -1,
  'log.initial.task.delay.ms': 200,
  'log.cleaner.backoff.ms': 100,
  'log.cleaner.dedupe.buffer.size': 4 * 1024 * 1024,
  'log.segment.delete.delay.ms': 100,
  'log.retention.check.interval.ms': 500,
  'leader.imbalance.check.interval.seconds': 3600,
  'replica.lag.time.max.ms': 5000,
  'broker.session.timeout.ms': 3000,
  'broker.heartbeat.interval.ms': 500,
  'controller.quorum.election.timeout.ms': 500,
  'controller.quorum.fetch.timeout.ms': 1000,
  'controlled.shutdown.max.retries': 1,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'background.threads': 2,
}

/** The configuration of one of `nodes`, with `settings` over the defaults of the tests. */
export function serverProperties(
  node: NodePlace,
  nodes: readonly NodePlace[],
  dataFolder: string,
  settings: Readonly<Record<string, string | number>>,
): string {
  const replicas = Math.min(nodes.length, 3)
  const secure = Object.keys(settings).some((name) => name.startsWith('listener.name.secure.'))
  const clientListeners = [
    `PLAINTEXT://127.0.0.1:${node.port}`,
    ...(secure ? [`SECURE://127.0.0.1:${node.securePort}`] : []),
  ]
  const properties = {
    'process.roles': 'broker,controller',
    'node.id': node.id,
    'controller.quorum.voters': nodes.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(','),
    listeners: [...clientListeners, `CONTROLLER://127.0.0.1:${node.controllerPort}`].join(','),
    'advertised.listeners': clientListeners.join(','),
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL',
    'log.dirs': dataFolder,
    'default.replication.factor': replicas,
    'min.insync.replicas': Math.max(1, replicas - 1),
    'offsets.topic.replication.factor': replicas,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': Math.max(1, replicas - 1),
    'share.coordinator.state.topic.replication.factor': replicas,
    'share.coordinator.state.topic.min.isr': Math.max(1, replicas - 1),
    ...QUICK,
    ...settings,
  }
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
