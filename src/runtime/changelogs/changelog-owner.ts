import { decodeCheckpoint } from '../../core/checkpoint.ts'
import { TidemarkError } from '../../core/errors.ts'
import { partitionsOf } from '../../core/offsets.ts'
import type { Log, PartitionBounds, TopicDescription } from '../../ports/log.ts'
import type { CommitRecord } from '../../ports/outside.ts'
import { changelogIds } from './changelog-ids.ts'
import { otherJobsOf } from './changelog-names.ts'
import { requireUnheld } from './require-unheld.ts'

/** Who is to have a changelog. */
export interface ChangelogOwner {
  readonly job: string
  /** Ids of topics that are its changelogs, or were. */
  readonly own: ReadonlySet<string>
  /** Ids of topics that another generation of the job has as changelogs. */
  readonly others: ReadonlySet<string>
  /** It is known to have committed, and what it knew of its changelogs is lost: it starts empty, as its user has said. */
  readonly beginsAnew: boolean
  /** Keeps other instances out, and tells other jobs that this one is about to make changelogs. */
  claim(): Promise<void>
  /** True once it has claimed: no transaction of its own is open then. */
  isClaimed(): boolean
  /** Epoch ms. */
  now(): number
}

/**
 * Lets pass a topic that a store may have as its changelog although no checkpoint knows it: a run that died before its first
 * commit has made it, so nothing committed is in it, and no other job has it. Throws CHANGELOG_TAKEN for any other; LEASED
 * where another job whose changelog has the same name is running, and may just have made it, or somebody writes to it.
 */
export async function requireFree(
  log: Log,
  topic: TopicDescription,
  store: string,
  owner: ChangelogOwner,
): Promise<void> {
  const taken = (why: string, hint: string) =>
    new TidemarkError('CHANGELOG_TAKEN', `the changelog of store ${store} would be ${topic.name}, ${why}`, {
      hint,
      at: { job: owner.job, step: store, topic: topic.name },
    })
  if (owner.others.has(topic.id)) throw taken('which another generation of this job has', RENAME)
  for (const job of otherJobsOf(topic.name, owner.job)) {
    const record = await lastOf(log, job)
    if (has(record, topic.id)) throw taken(`which is a changelog of job ${job}`, RENAME)
    const leaseUntil = record?.delivery.leaseUntil ?? 0
    if (leaseUntil > owner.now()) throw running(topic.name, store, owner.job, job, leaseUntil)
  }
  const bounds = await log.bounds(partitionsOf(topic.name, topic.partitions), 'read_committed')
  if (owner.isClaimed()) requireUnheld(bounds, owner.job, store)
  if (!owner.beginsAnew && (await holdsRecords(log, bounds)))
    throw taken('which has records that nothing committed tells of', REMOVE)
}

/** True where another job than this has the topic as a changelog. */
export async function isOfAnotherJob(log: Log, topic: TopicDescription, job: string): Promise<boolean> {
  for (const other of otherJobsOf(topic.name, job)) if (has(await lastOf(log, other), topic.id)) return true
  return false
}

const RENAME =
  'Names are joined by dashes, and these come to the same: call the job, the generation or the store something else.'
const REMOVE =
  'If nobody needs it, delete it with kafka-topics.sh --delete; else call the job, the generation or the store something else.'

function running(topic: string, store: string, job: string, other: string, until: number): TidemarkError {
  const message = `job ${other} is running, and ${topic} may be a changelog that it has just made`
  return new TidemarkError('LEASED', message, {
    hint: `Try again when it has ended, or after ${new Date(until).toISOString()}.`,
    at: { job, step: store, topic },
  })
}

async function lastOf(log: Log, job: string): Promise<CommitRecord | undefined> {
  const outside = await log.outside(job, 'live')
  try {
    return await outside.read()
  } finally {
    await outside.close()
  }
}

function has(record: CommitRecord | undefined, topicId: string): boolean {
  const bytes = record?.checkpoint ?? null
  return bytes !== null && changelogIds(decodeCheckpoint(bytes)).includes(topicId)
}

/** True where a reader of what is committed sees a record: markers, and what was rolled back, have offsets too. */
async function holdsRecords(log: Log, bounds: readonly PartitionBounds[]): Promise<boolean> {
  const ranges = bounds.map(({ topic, partition, start, end }) => ({ topic, partition, from: start, to: end }))
  const reader = log.reader(ranges, { isolation: 'read_committed' })
  try {
    for (const index of ranges.keys()) {
      for (let chunk = await reader.next(index); chunk !== undefined; chunk = await reader.next(index)) {
        if (chunk.batches.length > 0) return true
      }
    }
    return false
  } finally {
    await reader.close()
  }
}
