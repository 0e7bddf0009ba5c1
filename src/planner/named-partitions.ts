import { counted } from '../core/counted.ts'
import { TidemarkError } from '../core/errors.ts'
import type { Bound } from './bound.ts'
import type { InputPartition } from './inputs.ts'
import { listSome } from './list-some.ts'
import { nearNames } from './near-names.ts'

/**
 * Holds per-partition offsets against the partitions that there are: each must be one of `allowed`, and all of `needed`
 * must be named. Throws USAGE. Other bounds pass.
 */
export function checkNamedPartitions(
  bound: Bound,
  what: string,
  allowed: readonly InputPartition[],
  needed: readonly InputPartition[],
): void {
  if (bound.kind !== 'offsets') return
  for (const named of bound.offsets) {
    if (!allowed.some((input) => isSame(input, named))) throw notAnInput(what, named, allowed)
  }
  const left = needed.filter((input) => !bound.offsets.some((named) => isSame(input, named)))
  if (left.length === 0) return
  throw new TidemarkError(
    'USAGE',
    `${what} leaves out ${listSome(left.map(({ topic, partition }) => `${topic}/${partition}`))}`,
    {
      hint: `Name every partition: ${listSome(
        left.map((input) => `${input.topic}/${input.partition}=${input.end}`),
        ',',
      )} is where they end now.`,
    },
  )
}

interface Named {
  readonly topic: string
  readonly partition: number
}

function isSame(left: Named, right: Named): boolean {
  return left.topic === right.topic && left.partition === right.partition
}

function notAnInput(what: string, { topic, partition }: Named, allowed: readonly InputPartition[]): TidemarkError {
  const topics = [...new Set(allowed.map((input) => input.topic))]
  const name = `${topic}/${partition}`
  if (topics.includes(topic)) {
    const count = allowed.filter((input) => input.topic === topic).length
    return new TidemarkError(
      'USAGE',
      `${what} names ${name}: ${topic} has ${counted(count, 'partition')}, numbered from 0`,
    )
  }
  const near = nearNames(topic, topics)
  return new TidemarkError('USAGE', `${what} names ${name}, which this bound cannot set`, {
    hint: near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `It can name partitions of ${topics.join(', ')}.`,
  })
}
