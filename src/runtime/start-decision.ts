import type { Token } from '../core/token.ts'

/** What a start finds: the last commit here (L), the last commit outside (O), and what helps to judge them. */
export interface StartFacts {
  /** L: the state file's token, or null where there is no file or nothing was ever committed. */
  readonly local: Token | null
  /** O: the outside's token, or null. */
  readonly outside: Token | null
  /** False for a generation that publishes nothing: it has no outside. */
  readonly hasOutside: boolean
  /** `job.db` remembers a committed slice of this generation. */
  readonly remembered: boolean
  readonly hasStores: boolean
  /** The stores can be restored to O from their changelogs. */
  readonly changelogsReach: boolean
  /** The user said `--init`. */
  readonly init: boolean
}

export type StartDecision =
  /** Nothing was ever committed. */
  | { readonly do: 'begin' }
  /** Start empty although commits were made: the first token has O as its parent. */
  | { readonly do: 'begin-anew' }
  /** The last commit was delivered. */
  | { readonly do: 'go-on' }
  /** The last commit may not have been delivered: deliver its outbox again. */
  | { readonly do: 'deliver-again' }
  /** Take the checkpoint from O, and the stores, if any, from their changelogs. */
  | { readonly do: 'restore' }
  | { readonly do: 'fail'; readonly code: 'STATE_MISSING' | 'OUTPUT_LOST'; readonly why: string }

/** The start table of the commit protocol, row by row. */
export function decideStart(facts: StartFacts): StartDecision {
  const { local, outside, hasOutside } = facts
  if (!hasOutside) return local !== null ? { do: 'go-on' } : withoutBoth(facts)
  if (local === null) return outside === null ? withoutBoth(facts) : withoutLocal(facts)
  if (outside === null) {
    if (local.parent === null) return { do: 'deliver-again' }
    return lost('the log holds no commit record of this job')
  }
  if (local.id === outside.id) return { do: 'go-on' }
  if (local.parent === outside.id) return { do: 'deliver-again' }
  if (outside.seq >= local.seq) return overtaken(facts)
  return lost(`the log's last commit is number ${outside.seq}, older than this state's, ${local.seq}`)
}

function withoutBoth(facts: StartFacts): StartDecision {
  if (!facts.remembered || facts.init) return { do: 'begin' }
  return missing('slices of this generation were committed, and its state file is gone')
}

function withoutLocal(facts: StartFacts): StartDecision {
  if (facts.init) return { do: 'begin-anew' }
  if (!facts.hasStores || facts.changelogsReach) return { do: 'restore' }
  return missing('the log has a commit record of this job, and there is no state file that belongs to it')
}

function overtaken(facts: StartFacts): StartDecision {
  if (!facts.hasStores || facts.changelogsReach) return { do: 'restore' }
  return missing('another state directory has committed runs of this job since this one did')
}

function missing(why: string): StartDecision {
  return { do: 'fail', code: 'STATE_MISSING', why }
}

function lost(why: string): StartDecision {
  return { do: 'fail', code: 'OUTPUT_LOST', why }
}
