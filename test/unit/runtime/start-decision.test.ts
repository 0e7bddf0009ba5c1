import { describe, expect, it } from 'vitest'
import type { Token } from '../../../src/core/token.ts'
import { decideStart, type StartFacts } from '../../../src/runtime/start-decision.ts'

/** A chain of commits, and one that belongs to another. */
const FIRST: Token = { seq: 1, id: 'a', parent: null }
const SECOND: Token = { seq: 2, id: 'b', parent: 'a' }
const THIRD: Token = { seq: 3, id: 'c', parent: 'b' }
const STRANGER: Token = { seq: 3, id: 'x', parent: 'y' }

/** A job with stores and an outside, whose commits this machine remembers. */
const USUAL: StartFacts = {
  local: SECOND,
  outside: SECOND,
  hasOutside: true,
  remembered: true,
  hasStores: true,
  changelogsReach: false,
  init: false,
}

const STATE_MISSING = { do: 'fail', code: 'STATE_MISSING' }
const OUTPUT_LOST = { do: 'fail', code: 'OUTPUT_LOST' }

const ROWS: readonly [row: string, facts: Partial<StartFacts>, decision: object][] = [
  ['neither', { local: null, outside: null, remembered: false }, { do: 'begin' }],
  ['neither, and the file was lost', { local: null, outside: null }, STATE_MISSING],
  ['neither, the file was lost, --init', { local: null, outside: null, init: true }, { do: 'begin' }],

  ['no L, some O', { local: null }, STATE_MISSING],
  ['no L, some O, unknown here', { local: null, remembered: false }, STATE_MISSING],
  ['no L, some O, changelogs', { local: null, changelogsReach: true }, { do: 'restore' }],
  ['no L, some O, no stores', { local: null, hasStores: false }, { do: 'restore' }],
  ['no L, some O, --init', { local: null, init: true }, { do: 'begin-anew' }],
  ['no L, some O, no stores, --init', { local: null, hasStores: false, init: true }, { do: 'begin-anew' }],

  ['L is O', {}, { do: 'go-on' }],
  ['L is O, the first', { local: FIRST, outside: FIRST }, { do: 'go-on' }],
  ['L is O, whatever else', { init: true, remembered: false, hasStores: false }, { do: 'go-on' }],

  ["O is L's parent", { local: SECOND, outside: FIRST }, { do: 'deliver-again' }],
  ['no O and L is the first', { local: FIRST, outside: null }, { do: 'deliver-again' }],

  ["O is L's child: overtaken", { local: SECOND, outside: THIRD }, STATE_MISSING],
  ['O is later: overtaken', { local: SECOND, outside: STRANGER }, STATE_MISSING],
  ['O is as late: overtaken', { local: THIRD, outside: STRANGER }, STATE_MISSING],
  ['overtaken, changelogs', { local: SECOND, outside: THIRD, changelogsReach: true }, { do: 'restore' }],
  ['overtaken, no stores', { local: SECOND, outside: THIRD, hasStores: false }, { do: 'restore' }],
  ['overtaken: nothing is dropped, not by --init', { local: SECOND, outside: THIRD, init: true }, STATE_MISSING],

  ["O is older than L's parent", { local: THIRD, outside: FIRST }, OUTPUT_LOST],
  ['another id there', { local: { seq: 4, id: 'd', parent: 'c' }, outside: STRANGER }, OUTPUT_LOST],
  ['O is gone', { local: SECOND, outside: null }, OUTPUT_LOST],
  ['O is gone, no stores', { local: SECOND, outside: null, hasStores: false }, OUTPUT_LOST],
  ['O is gone, --init', { local: SECOND, outside: null, init: true }, OUTPUT_LOST],

  ['publishes nothing', { hasOutside: false, outside: null }, { do: 'go-on' }],
  ['publishes nothing, the first', { hasOutside: false, outside: null, local: FIRST }, { do: 'go-on' }],
  ['publishes nothing, neither', { hasOutside: false, local: null, outside: null, remembered: false }, { do: 'begin' }],
  ['publishes nothing, the file was lost', { hasOutside: false, local: null, outside: null }, STATE_MISSING],
  [
    'publishes nothing, the file was lost, --init',
    { hasOutside: false, local: null, outside: null, init: true },
    { do: 'begin' },
  ],
]

describe('a start compares the last commit here (L) with the last one outside (O)', () => {
  it.each(ROWS)('%s', (_, facts, decision) => {
    const decided = decideStart({ ...USUAL, ...facts })
    expect(decided).toMatchObject(decision)
    if (decided.do === 'fail') expect(decided.why).not.toBe('')
  })
})
