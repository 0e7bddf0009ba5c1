import { TidemarkError } from '../../core/errors.ts'

export type TopicSettings = Readonly<Record<string, string>>

/** Says what a value has to be, or nothing when it is right. */
type Check = (value: string) => string | undefined

const MAX_LONG = 9_223_372_036_854_775_807n

/** What a topic has that does not say otherwise. Unlike Kafka's, nothing here expires unless the topic asks for it. */
const DEFAULTS: TopicSettings = Object.freeze({
  'cleanup.policy': 'delete',
  'max.message.bytes': '1048588',
  'retention.bytes': '-1',
  'retention.ms': '-1',
})

/**
 * Kafka's topic settings. Those that change what a reader sees are kept to, or refused where they cannot be; those about
 * Kafka's own storage (segments, flushing, replicas, recompression) are checked for their form, kept and shown.
 */
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['cleanup.policy', cleanupPolicy],
  ['max.message.bytes', integer(1)],
  ['retention.bytes', integer(-1)],
  ['retention.ms', integer(-1)],
  ['message.timestamp.type', oneOf('CreateTime')],
  ['message.timestamp.after.max.ms', oneOf(String(MAX_LONG))],
  ['message.timestamp.before.max.ms', oneOf(String(MAX_LONG))],
  ['message.timestamp.difference.max.ms', oneOf(String(MAX_LONG))],
  ['min.compaction.lag.ms', oneOf('0')],
  ['compression.type', oneOf('producer', 'uncompressed', 'gzip', 'snappy', 'lz4', 'zstd')],
  ['compression.gzip.level', integer(-1)],
  ['compression.lz4.level', integer(1)],
  ['compression.zstd.level', integer(-MAX_LONG)],
  ['delete.retention.ms', integer(0)],
  ['file.delete.delay.ms', integer(0)],
  ['flush.messages', integer(1)],
  ['flush.ms', integer(0)],
  ['follower.replication.throttled.replicas', () => undefined],
  ['index.interval.bytes', integer(0)],
  ['leader.replication.throttled.replicas', () => undefined],
  ['local.retention.bytes', integer(-2)],
  ['local.retention.ms', integer(-2)],
  ['max.compaction.lag.ms', integer(1)],
  ['message.downconversion.enable', oneOf('true', 'false')],
  ['min.cleanable.dirty.ratio', fraction],
  ['min.insync.replicas', integer(1)],
  ['preallocate', oneOf('true', 'false')],
  ['remote.storage.enable', oneOf('false')],
  ['segment.bytes', integer(14)],
  ['segment.index.bytes', integer(4)],
  ['segment.jitter.ms', integer(0)],
  ['segment.ms', integer(1)],
  ['unclean.leader.election.enable', oneOf('true', 'false')],
])

/** Throws USAGE for a setting that is unknown, or that has a value it cannot have here. */
export function checkTopicSettings(topic: string, settings: TopicSettings): void {
  for (const [name, value] of Object.entries(settings)) {
    const check = CHECKS.get(name)
    if (check === undefined) {
      throw new TidemarkError('USAGE', `${JSON.stringify(name)} is not a setting of a topic`, {
        at: { topic },
        hint: `Settings have Kafka's names. Those with an effect here: ${Object.keys(DEFAULTS).join(', ')}.`,
      })
    }
    const wanted = check(value)
    if (wanted === undefined) continue
    throw new TidemarkError('USAGE', `${name} cannot be ${JSON.stringify(value)} here`, {
      at: { topic },
      hint: `It has to be ${wanted}.`,
    })
  }
}

/** The settings in force: those set, over the defaults. */
export function settingsInForce(set: TopicSettings): TopicSettings {
  return { ...DEFAULTS, ...set }
}

export function isCompacted(settings: TopicSettings): boolean {
  return policies(settings).includes('compact')
}

/** A setting that is a whole number. Limits past the exact integers are as good as none. */
export function numberSetting(settings: TopicSettings, name: keyof typeof DEFAULTS & string): number {
  return Number(settingsInForce(settings)[name])
}

/** Whether `retention.ms` and `retention.bytes` apply. */
export function isDeleted(settings: TopicSettings): boolean {
  return policies(settings).includes('delete')
}

function policies(settings: TopicSettings): string[] {
  return (settingsInForce(settings)['cleanup.policy'] ?? '').split(',').map((policy) => policy.trim())
}

function cleanupPolicy(value: string): string | undefined {
  const named = value.split(',').map((policy) => policy.trim())
  return named.every((policy) => policy === 'delete' || policy === 'compact')
    ? undefined
    : "'delete', 'compact' or both"
}

function integer(min: number | bigint): Check {
  return (value) => {
    const right = /^-?\d{1,19}$/.test(value) && BigInt(value) >= BigInt(min) && BigInt(value) <= MAX_LONG
    return right ? undefined : `a whole number of ${min} or more`
  }
}

function oneOf(...values: readonly string[]): Check {
  return (value) => (values.includes(value) ? undefined : values.map((each) => `'${each}'`).join(' or '))
}

function fraction(value: string): string | undefined {
  return /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : 'a number from 0 to 1'
}
