import { describePlan } from '../../planner/describe-plan.ts'
import type { Plan } from '../../planner/plan-types.ts'
import type { Finding } from '../../runtime/preflight.ts'
import type { Io } from '../io.ts'
import { table } from './table.ts'
import { countInWords } from './words.ts'

/** Prints a plan: the sentences, its ranges, what is odd about it, and what the preflight found. */
export function printPlan(plan: Plan, findings: readonly Finding[], io: Io): void {
  io.result({ ...plan, preflight: findings }, () => {
    const found = findings.map(({ level, message }) => `${level}: ${message}`)
    return [planInWords(plan), ...(found.length === 0 ? [] : ['', ...found])].join('\n')
  })
}

export function planInWords(plan: Plan): string {
  const { sentences, rows, notices } = describePlan(plan)
  const ranges = table(
    [
      { title: 'topic' },
      { title: 'partition', align: 'right' },
      { title: 'as' },
      { title: 'from', align: 'right' },
      { title: 'to', align: 'right' },
      { title: 'offsets', align: 'right' },
      { title: 'starts at' },
    ],
    rows.map(({ topic, partition, role, from, to, offsets, starts }) => [
      topic,
      String(partition),
      role,
      countInWords(from),
      countInWords(to),
      countInWords(offsets),
      starts,
    ]),
  )
  const [first, ...rest] = sentences
  return [first, ...rest.map((sentence) => `  ${sentence}`), '', ranges, ...noticesInWords(notices)].join('\n')
}

/** Notices as lines of their own, with an empty line before them; nothing where there are none. */
export function noticesInWords(notices: readonly string[]): readonly string[] {
  return notices.length === 0 ? [] : ['', ...notices.map((notice) => `note: ${notice}`)]
}
