import { type Checkpoint, encodeCheckpoint } from '../../core/checkpoint.ts'
import type { Token } from '../../core/token.ts'
import type { RunRow } from '../../ports/history.ts'
import { formerChangelogs } from '../changelogs/changelog-ids.ts'
import { commitSlice } from '../commit.ts'
import { idleRow, runningRow } from '../run-rows.ts'
import type { Session } from '../session.ts'
import type { SwitchedDetail } from './switched-event.ts'

export interface SwitchParts {
  /** Claimed, and agreed with the outside. */
  readonly live: Session
  /** Stands where the live one stands. */
  readonly other: Session
  readonly how: SwitchedDetail['how']
  readonly changelogs: NonNullable<Checkpoint['changelogs']> | null
  /** Topics to correct. */
  readonly topics: readonly string[]
  readonly runId: string
}

/**
 * Makes the one slice that decides a switch: it is of the other generation, and outside it takes the place of the live one's
 * last commit. Gives the other one's session as the live one. Where it throws, the next start finds out which is live.
 */
export async function commitSwitch(parts: SwitchParts): Promise<Session> {
  const { live, other, how, topics, runId, changelogs } = parts
  const { env, file } = other
  const before = other.checkpoint
  if (before === null || live.parent === null) throw new Error('generations that are switched have committed')
  const [from, to] = [live.generation.name, other.generation.name]
  const now = env.clock.now()
  const token = switchToken(live.parent, before.token, env.ids.uuid())
  const { changelogs: _, formerChangelogs: __, corrections: ___, ...kept } = before
  const checkpoint: Checkpoint = {
    ...kept,
    token,
    generation: to,
    unfinished: null,
    made: null,
    ...(changelogs === null ? {} : { changelogs }),
    ...formerChangelogs(other.changelogIds, changelogs),
    ...(topics.length === 0 ? {} : { corrections: { from, topics, after: null } }),
  }
  const detail: SwitchedDetail = { from, to, how }
  const write = () => ({
    checkpoint: { token, bytes: encodeCheckpoint(checkpoint) },
    outbox: { token, endsRun: true, batches: [] },
    run: switchRow(other, how, runId, now),
    events: [{ kind: 'switched' as const, seq: token.seq, runId, at: now, detail: { ...detail } }],
  })
  const delivery = live.delivery(runId, false, true)
  await commitSlice({ file, outside: live.outside, steps: env.steps, batches: [], write, delivery })
  env.steps.enter('adopt')
  return other.goLive(live, checkpoint, delivery)
}

/** Numbers rise in the history of either generation: a replay may have made more commits than the live one had. */
function switchToken(parent: Token, last: Token, id: string): Token {
  return { seq: Math.max(parent.seq, last.seq) + 1, id, parent: parent.id }
}

/** A run that read nothing. */
export function switchRow(
  { env, file, loaded, generation }: Session,
  trigger: string,
  runId: string,
  at: number,
): RunRow {
  const row = runningRow({ runId, loaded, generation: generation.name, trigger, startedAt: at, plan: null })
  return idleRow(row, env.clock.now(), file.runs(1, 'done')[0])
}
