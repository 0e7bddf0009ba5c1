import { TidemarkError } from '../../core/errors.ts'
import type { ProcessNode } from '../../topology/nodes.ts'
import type { ProcessedRecord, ProcessorContext } from '../../topology/processor/context.ts'
import type { Operator } from '../operator.ts'
import { fireByStreamTime } from '../punctuation.ts'
import type { Step } from '../step.ts'
import { InHand } from './in-hand.ts'
import { openStores } from './open-stores.ts'
import { Schedules } from './schedules.ts'

/**
 * Runs a processor of the user's: `init` makes it for this task, with its stores and schedules, and gives back what takes
 * the records.
 */
export function processor(node: ProcessNode, step: Step): Operator {
  const { context } = step
  const { running, record: current } = context
  const time = context.streamTime(node.name)
  const inHand = new InHand(node.id, step)
  const schedules = new Schedules(node.name, context, time, inHand)
  const { punctuations } = schedules

  running.step = node.id
  const handler: unknown = node.init(processorContext(), (record) => inHand.forward(record, node.keepsKeys))
  if (typeof handler !== 'function') throw notAProcessor(node.name)
  running.step = -1
  schedules.close()

  return {
    process: (key, value, _old, timestamp) => {
      const record: ProcessedRecord<unknown, unknown> = { key, value, timestamp, headers: current.headers }
      inHand.begin(key, true, timestamp)
      inHand.end(handler(record))
    },
    processor: { time, punctuations },
    timed: {
      // a task that no record has come to has no time that could be moved
      advanceTime: (timestamp) => {
        if (time.value >= 0 && time.advance(timestamp)) fireByStreamTime(punctuations)
      },
      latestClose: () => -1,
    },
  }

  function processorContext(): ProcessorContext<unknown> {
    return {
      stores: openStores(node, step, inHand),
      task: context.task,
      origin() {
        const { topic, partition, offset } = current
        return offset < 0 ? null : { topic, partition, offset }
      },
      streamTime: () => time.value,
      now: () => context.now,
      schedule: schedules.schedule,
    }
  }
}

function notAProcessor(name: string): TidemarkError {
  return new TidemarkError('USER_CODE_FAILED', `the processor ${name} is no function`, {
    hint: 'Let init return a function that takes records.',
  })
}
