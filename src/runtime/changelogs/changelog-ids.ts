import type { Checkpoint } from '../../core/checkpoint.ts'

/** The ids of all topics that a generation has been given as changelogs, as far as its checkpoint knows. */
export function changelogIds(checkpoint: Checkpoint | null): readonly string[] {
  const whole = Object.values(checkpoint?.changelogs ?? {}).map(({ topicId }) => topicId)
  return [...whole, ...(checkpoint?.formerChangelogs ?? [])]
}

/** The part of a checkpoint that remembers topics which are changelogs no longer; nothing where there are none. */
export function formerChangelogs(
  known: Iterable<string>,
  changelogs: Checkpoint['changelogs'] | null,
): Pick<Checkpoint, 'formerChangelogs'> {
  const whole = new Set(Object.values(changelogs ?? {}).map(({ topicId }) => topicId))
  const former = [...new Set(known)].filter((id) => !whole.has(id)).sort()
  return former.length === 0 ? {} : { formerChangelogs: former }
}
