import type { SettingsOf } from '../topology/draft.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'
import type { Step } from './step.ts'

/** Adds a choice of a topic for each record, with a sink for each of the topics. */
export function sunkByTopic(
  { draft, node }: Step,
  topics: readonly TopicSpec[],
  choose: SettingsOf<'choose-topic'>['choose'],
  where: Where | null,
): void {
  const names = new Set(topics.map(({ name }) => name))
  if (names.size < topics.length || topics.length === 0) {
    throw invalidJob(
      where,
      'the topics to choose from are none, or one of them is there twice',
      'Name each of them once.',
    )
  }
  const choice = draft.add({ kind: 'choose-topic', where, topics, choose }, [node])
  for (const [branch, topic] of topics.entries()) {
    const way = draft.add({ kind: 'branch', where, branch, label: topic.name }, [choice])
    draft.add({ kind: 'stream-sink', where, topic }, [way])
  }
}
