import { TidemarkError } from '../core/errors.ts'
import type { ChooseTopicNode } from '../topology/nodes.ts'
import type { TopicSpec } from '../topology/topic-spec.ts'
import { given } from './given.ts'
import { metadataOf } from './metadata-of.ts'
import type { Operator } from './operator.ts'
import type { Step } from './step.ts'

/** Sends each record to the topic that the user's function chooses, one of those that were declared. */
export function chooseTopic(node: ChooseTopicNode, step: Step): Operator {
  const { branches } = step
  const { running, record } = step.context
  const { id, topics, choose } = node
  return {
    process: (key, value, _old, timestamp) => {
      running.step = id
      const chosen = given(choose(value, key, metadataOf(record, timestamp)), 'the choice of a topic')
      const at = topics.indexOf(chosen)
      if (at < 0) throw notDeclared(chosen)
      running.step = -1
      branches[at]?.(key, value, undefined, timestamp)
    },
  }
}

function notDeclared(chosen: TopicSpec | null): TidemarkError {
  const what = chosen === null ? 'null' : `the topic ${chosen.name}`
  return new TidemarkError('USER_CODE_FAILED', `${what} was chosen, which is none of the declared topics`, {
    hint: 'Name it in the list of topics, as in to([one, two], (value) => …).',
  })
}
