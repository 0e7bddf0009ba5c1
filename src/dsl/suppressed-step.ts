import type { Serde } from '../serde/serde.ts'
import { suppressedSerde } from '../serde/suppressed-serde.ts'
import { checkedName } from '../topology/names.ts'
import { known } from './known.ts'
import type { Step } from './step.ts'
import type { UntilTimeLimit, UntilWindowCloses } from './suppressed.ts'
import { whereOfCall } from './where-of-call.ts'
import { windowWaitMs } from './window-wait.ts'

/** Adds a suppression of a table. */
export function suppressedStep(
  step: Step,
  name: string,
  suppressed: UntilWindowCloses | UntilTimeLimit,
  serde: Serde<unknown> | undefined,
): Step {
  const where = whereOfCall()
  const given = checkedName(name, 'a store', where)
  const key = known(step.key, `the serde of the keys of ${given}`, where)
  const value = known(serde ?? step.value, `the serde of the values of ${given}`, where)
  const { until, maxRecords, maxBytes, whenFull } = suppressed
  const waitMs = suppressed.until === 'time-limit' ? suppressed.limitMs : windowWaitMs(step, given, where)
  const shape = until === 'time-limit' ? 'key-time' : 'window'
  const store = { name: given, key, value: suppressedSerde(value), shape } as const
  const settings = { kind: 'suppress', where, until, waitMs, maxRecords, maxBytes, whenFull, store } as const
  return { ...step, node: step.draft.add(settings, [step.node], given), value }
}
