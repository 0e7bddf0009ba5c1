import { createHash } from 'node:crypto'
import type { Bound } from './bound.ts'
import { canonicalJson } from './canonical-json.ts'
import { formatIsoTime } from './iso-time.ts'
import type { Plan } from './plan-types.ts'
import { fixedBounds } from './range-bounds.ts'

type NamedPlan = Pick<Plan, 'asked' | 'times' | 'partitions' | 'topicIds'>

/**
 * The default name of a range generation, made of its bounds: `2013-01-01_2013-02-01`, `5_10`. A duration stands as its
 * time; what depends on the log at that moment (`earliest`, `latest`, `checkpoint`, counts, per-partition offsets) as a
 * short hash of what it resolved to: `2013-01-01_x3fa91c2b`. Only `[A-Za-z0-9._-]`.
 */
export function rangeName(plan: NamedPlan): string {
  const parts = fixedBounds(plan).map((bound) => plainName(bound) ?? `x${rangesHash(plan)}`)
  return [...new Set(parts)].length === 1 && parts[0]?.startsWith('x') ? parts[0] : parts.join('_')
}

function plainName(bound: Bound): string | undefined {
  if (bound.kind === 'offset') return String(bound.offset)
  if (bound.kind !== 'timestamp') return undefined
  return formatIsoTime(bound.timestamp).replace('T00:00:00Z', '').replace('@', 't').replaceAll(':', '')
}

function rangesHash({ partitions, topicIds }: NamedPlan): string {
  const ranges = partitions.map(({ topic, partition, from, to }) => [topic, partition, from, to])
  return createHash('sha256')
    .update(canonicalJson([ranges, topicIds]))
    .digest('hex')
    .slice(0, 8)
}
