import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'

const OPTIONS = ['key', 'value', 'nullKey', 'nullValue', 'timestamp', 'onInvalidTimestamp']
const POLICIES: readonly unknown[] = ['fail', 'skip', 'partition-time']
const EXTRACTORS: readonly unknown[] = ['record', 'wall-clock']

/** What the types promise, for job files that nobody has checked. Throws JOB_INVALID. */
export function checkTopicOptions(name: string, options: unknown, where: Where | null): void {
  const refuse = (problem: string, hint: string) => invalidJob(where, `the topic ${name} ${problem}`, hint)
  if (!isObject(options)) throw refuse('has no serdes', SERDES)
  const unknown = Object.keys(options).find((option) => !OPTIONS.includes(option))
  if (unknown !== undefined) throw refuse(`has no option ${unknown}`, `Options are ${OPTIONS.join(', ')}.`)
  const { key, value, timestamp = 'record', onInvalidTimestamp = 'fail' } = options
  if (!isSerde(key)) throw refuse('has no serde for its keys', SERDES)
  if (!isSerde(value)) throw refuse('has no serde for its values', SERDES)
  if (!isExtractor(timestamp)) {
    throw refuse('has a timestamp that nothing gives', "Write 'record', 'wall-clock', { field: 'at' }, or a function.")
  }
  if (POLICIES.includes(onInvalidTimestamp)) return
  throw refuse(
    `cannot have ${String(onInvalidTimestamp)} as onInvalidTimestamp`,
    `It is one of ${POLICIES.join(', ')}.`,
  )
}

const SERDES = "Give both, as in topic('flights', { key: string(), value: json() })."

function isSerde(serde: unknown): boolean {
  return isObject(serde) && typeof serde.encode === 'function' && typeof serde.decode === 'function'
}

function isExtractor(timestamp: unknown): boolean {
  if (typeof timestamp === 'function' || EXTRACTORS.includes(timestamp)) return true
  return isObject(timestamp) && typeof timestamp.field === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
