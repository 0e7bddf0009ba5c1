import { formatDuration } from '../../../core/duration.ts'
import type { LogNeeds } from '../../../ports/log.ts'
import { createTopic } from '../admin/create-topic.ts'
import type { Brokers } from '../connection/brokers.ts'
import { COMMIT_TOPIC_SETTINGS, commitTopicOf } from '../outside/commit-topic.ts'
import { transactionalIdOf } from '../outside/transactional-id.ts'
import { describeBrokerRequest, describeConfigsRequest } from '../protocol/describe-configs.ts'
import { ERROR, errorName, isForbidden, isUnknownTopic } from '../protocol/error-code.ts'
import { findCoordinatorRequest } from '../protocol/find-coordinator.ts'
import { metadataRequest } from '../protocol/metadata.ts'
import { lacking, type Right } from './rights.ts'

/** See `Log.obstacles`. What the user may not see is passed over. */
export async function obstacles(
  brokers: Brokers,
  needs: LogNeeds,
  transactionTimeoutMs: number,
): Promise<readonly string[]> {
  const commits = commitTopicOf(needs.job)
  const all: LogNeeds = {
    ...needs,
    reads: [...needs.reads, commits],
    writes: [...needs.writes, { name: commits, settings: COMMIT_TOPIC_SETTINGS }],
  }
  return [
    ...(await topicObstacles(brokers, all)),
    ...(await commitTopicObstacles(brokers, commits)),
    ...(await transactionObstacles(brokers, transactionalIdOf(needs.job, needs.key), transactionTimeoutMs)),
  ]
}

/** Rights that are lacking on topics that are there, and topics that are missing and cannot be made. */
async function topicObstacles(brokers: Brokers, { reads, writes }: LogNeeds): Promise<readonly string[]> {
  const names = [...new Set([...reads, ...writes.map(({ name }) => name)])]
  const { topics } = await brokers.retried(() => brokers.any(metadataRequest(names, true)))
  const found: string[] = []
  for (const name of names) {
    const topic = topics.find((each) => each.name === name)
    const written = writes.find((each) => each.name === name)
    if (topic === undefined || isUnknownTopic(topic.errorCode)) {
      const why = written && (await whyNotMade(brokers, written))
      if (why !== undefined) found.push(`topic ${name} is missing and cannot be made: ${why}`)
      continue
    }
    const wanted: Right[] = reads.includes(name) ? ['Read'] : []
    if (written !== undefined) wanted.push('Write')
    const missing = isForbidden(topic.errorCode) ? ['Describe', ...wanted] : lacking(topic.rights, wanted)
    if (missing.length > 0) found.push(`the user lacks rights on topic ${name}: ${missing.join(', ')}`)
  }
  return found
}

async function whyNotMade(brokers: Brokers, topic: LogNeeds['writes'][number]): Promise<string | undefined> {
  const { errorCode, message } = await createTopic(brokers, { ...topic, partitions: 1 }, true)
  if (errorCode === ERROR.NONE || errorCode === ERROR.TOPIC_ALREADY_EXISTS) return undefined
  if (isForbidden(errorCode)) return 'the user lacks the right Create on it'
  return message ?? errorName(errorCode)
}

/** Settings of the commit topic with which the job is refused, or its checkpoint may be. */
async function commitTopicObstacles(brokers: Brokers, name: string): Promise<readonly string[]> {
  const [topic] = await brokers.retried(() => brokers.any(describeConfigsRequest([name])))
  const { 'cleanup.policy': policy, 'max.message.bytes': room } = topic?.settings ?? {}
  const found: string[] = []
  if (policy !== undefined && policy !== COMMIT_TOPIC_SETTINGS['cleanup.policy']) {
    found.push(`topic ${name} has cleanup.policy=${policy}: commit records have to stay, compact alone keeps them`)
  }
  if (room !== undefined && Number(room) < Number(COMMIT_TOPIC_SETTINGS['max.message.bytes'])) {
    found.push(`topic ${name} has max.message.bytes=${room}: the checkpoint of many partitions may not fit`)
  }
  return found
}

/** The transactional id may not be seen, or transactions may not last as long as they are to. */
async function transactionObstacles(brokers: Brokers, id: string, timeoutMs: number): Promise<readonly string[]> {
  const found: string[] = []
  const { errorCode } = await brokers.retried(() => brokers.any(findCoordinatorRequest(id)))
  if (errorCode === ERROR.TRANSACTIONAL_ID_AUTHORIZATION_FAILED) {
    found.push(`the user lacks rights on the transactional id ${id}: Describe, Write`)
  }
  const longest = await longestTransactionMs(brokers)
  if (longest !== undefined && longest < timeoutMs) {
    const wanted = formatDuration(timeoutMs)
    found.push(`the brokers have transaction.max.timeout.ms=${longest}, and transactions of ${wanted} are wanted`)
  }
  return found
}

/** Undefined where the user may not see the brokers' settings. */
async function longestTransactionMs(brokers: Brokers): Promise<number | undefined> {
  return brokers.retried(async () => {
    const [broker] = (await brokers.metadata([])).brokers
    if (broker === undefined) return undefined
    const [described] = await brokers.node(broker.nodeId, describeBrokerRequest(broker.nodeId))
    const limit = described?.settings['transaction.max.timeout.ms']
    return limit === undefined ? undefined : Number(limit)
  })
}
