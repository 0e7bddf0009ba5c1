import type { DraftNode } from '../draft.ts'
import { invalidJob } from '../invalid-job.ts'

/**
 * The nodes with parents before children, otherwise in the order of the user's calls. Ids become positions.
 * Throws JOB_INVALID where nodes lead back to themselves.
 */
export function inOrder(draft: readonly DraftNode[]): readonly DraftNode[] {
  const known = new Set(draft.map(({ id }) => id))
  for (const { settings, parents } of draft) {
    if (parents.every((parent) => known.has(parent))) continue
    throw invalidJob(settings.where, 'a step follows one that the job does not have', 'Use the steps of one job.')
  }
  const placed = new Map<number, number>()
  const ordered: DraftNode[] = []
  let waiting = [...draft]
  while (waiting.length > 0) {
    const next = waiting.find(({ parents }) => parents.every((parent) => placed.has(parent)))
    if (next === undefined) throw circle(waiting)
    placed.set(next.id, ordered.length)
    ordered.push(next)
    waiting = waiting.filter((node) => node !== next)
  }
  return ordered.map((node, id) => ({
    ...node,
    id,
    parents: node.parents.map((parent) => placed.get(parent) ?? parent),
  }))
}

function circle(waiting: readonly DraftNode[]): Error {
  const exchange = waiting.find(({ settings }) => settings.kind === 'exchange') ?? waiting[0]
  const topic = exchange?.settings.kind === 'exchange' ? exchange.settings.published?.name : undefined
  return invalidJob(
    exchange?.settings.where ?? null,
    topic === undefined ? 'a step leads back to itself' : `what is read from the topic ${topic} leads back into it`,
    'Write to another topic, and read that one in a job of its own.',
  )
}
