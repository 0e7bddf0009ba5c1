type Settings = Readonly<Record<string, string>>

/** Known to Kafka from 3.6 on; before that nothing was refused for its time. */
const LATEST_TIME = 'message.timestamp.after.max.ms'
const MAX_LONG = '9223372036854775807'

/**
 * The settings of a topic that is made here, over which those asked for go: event times may be old, so nothing expires
 * unless it is asked for, and they may lie ahead of the broker's clock.
 */
export function settingsForNew(asked: Settings): Settings {
  return { 'retention.ms': '-1', [LATEST_TIME]: MAX_LONG, ...asked }
}

/** The same for brokers that do not know all of them; undefined when it is something else that they refused. */
export function settingsForOlder(asked: Settings, refused: string): Settings | undefined {
  if (!refused.includes(LATEST_TIME) || asked[LATEST_TIME] !== undefined) return undefined
  const { [LATEST_TIME]: _, ...known } = settingsForNew(asked)
  return known
}
