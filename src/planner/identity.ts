import type { Checkpoint } from '../core/checkpoint.ts'
import { counted } from '../core/counted.ts'
import { TidemarkError } from '../core/errors.ts'
import { parsePartitionKey, partitionKey } from '../core/offsets.ts'
import type { InputPartition, InputTopics } from './inputs.ts'
import { listSome } from './list-some.ts'
import { nearNames } from './near-names.ts'

type Known = Pick<Checkpoint, 'clusterId' | 'topicIds' | 'offsets'>

/**
 * Holds the log against what a checkpoint knows of it, and returns the topics that start anew: those of `acceptTopics`
 * which are not the ones the checkpoint has read, or which it has not read at all. Throws INPUT_REPLACED for another
 * cluster, another topic under the same name, or fewer partitions; USAGE for a name that is no input.
 */
export function checkIdentity(
  job: string,
  known: Known | null,
  inputs: InputTopics,
  partitions: readonly InputPartition[],
  acceptTopics: readonly string[],
): readonly string[] {
  const names = inputs.topics.map((topic) => topic.name)
  requireInputs(job, acceptTopics, names)
  if (known === null) return []
  const otherCluster = inputs.clusterId !== known.clusterId
  const refused = otherCluster ? names.filter((name) => !acceptTopics.includes(name)) : []
  if (refused.length > 0) throw otherLog(job, known.clusterId, inputs.clusterId, refused)
  return inputs.topics
    .filter((topic) => {
      if (otherCluster) return true
      const id = known.topicIds[topic.name]
      if (id === topic.id) requirePartitions(job, known, topic.name, topic.partitions)
      else if (id !== undefined && !acceptTopics.includes(topic.name)) {
        throw otherTopic(
          job,
          topic.name,
          `id ${topic.id}, the checkpoint read ${id}${shorter(known, topic.name, partitions)}`,
        )
      }
      return id !== topic.id && acceptTopics.includes(topic.name)
    })
    .map((topic) => topic.name)
}

function requireInputs(job: string, acceptTopics: readonly string[], names: readonly string[]): void {
  const unknown = acceptTopics.find((name) => !names.includes(name))
  if (unknown === undefined) return
  const near = nearNames(unknown, names)
  throw new TidemarkError('USAGE', `--accept-topic ${unknown}: job ${job} does not read that topic`, {
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It reads ${names.join(', ')}.`,
  })
}

function requirePartitions(job: string, known: Known, topic: string, partitions: number): void {
  for (const key of Object.keys(known.offsets)) {
    const at = parsePartitionKey(key)
    if (at.topic !== topic || at.partition < partitions) continue
    throw new TidemarkError(
      'INPUT_REPLACED',
      `${topic} has ${counted(partitions, 'partition')}, and the checkpoint knows ${key}`,
      {
        hint: 'A topic does not lose partitions: restore the log that this checkpoint was made on.',
        at: { job, ...at },
      },
    )
  }
}

function shorter(known: Known, topic: string, partitions: readonly InputPartition[]): string {
  const short = partitions.flatMap(({ topic: name, partition, highWatermark }) => {
    const wanted = known.offsets[partitionKey(name, partition)] ?? 0
    return name === topic && highWatermark < wanted
      ? `${name}[${partition}] ends at ${highWatermark}, not ${wanted}`
      : []
  })
  return short.length === 0 ? '' : `; log shorter than checkpoint: ${listSome(short)}`
}

function otherTopic(job: string, topic: string, how: string): TidemarkError {
  const what = `topic identity changed: ${topic} was made again under the same name (${how})`
  return new TidemarkError('INPUT_REPLACED', what, {
    hint: `To read the new topic from its beginning: --accept-topic ${topic}. What the state has of the old one stays.`,
    at: { job, topic },
  })
}

function otherLog(job: string, was: string, is: string, topics: readonly string[]): TidemarkError {
  return new TidemarkError('INPUT_REPLACED', `this is another log (cluster ${is}): the checkpoint was made on ${was}`, {
    hint: `Check --log. To read every topic of this one from its beginning: ${topics.map((name) => `--accept-topic ${name}`).join(' ')}.`,
    at: { job },
  })
}
