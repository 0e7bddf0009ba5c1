import { fromByteString, toByteString } from '../../core/bytes.ts'
import { type Checkpoint, type Corrections, encodeCheckpoint } from '../../core/checkpoint.ts'
import type { RunRow } from '../../ports/history.ts'
import type { StagedBatch } from '../../ports/log.ts'
import type { StateFile } from '../../ports/state-file.ts'
import type { TableSinkNode } from '../../topology/nodes.ts'
import { BatchStager } from '../batch-stager.ts'
import { commitSlice } from '../commit.ts'
import { nextToken } from '../input/slice-record.ts'
import { ensureOutputTopics } from '../output-topics.ts'
import { runningRow } from '../run-rows.ts'
import type { Session } from '../session.ts'
import { appendCorrection, correctionRows } from './correction-rows.ts'
import { dropKeptStores } from './kept-store.ts'
import { ownedSinks } from './owned-sinks.ts'

/** Rows between two turns of the event loop, and looks at the lease. */
const ROWS_AT_ONCE = 4096

/**
 * Publishes what a switch has found to be wrong outside, in slices of the generation that is live now: of each topic the keys
 * on which what was published differs from what this generation would have published. One that it would not have published
 * gets a tombstone. Goes on where it was interrupted. Gives the number of corrections, 0 where there are none to make.
 */
export async function publishCorrections(session: Session, except: readonly string[] = []): Promise<number> {
  const pending = session.checkpoint?.corrections
  if (pending === undefined) return 0
  const { env, loaded, generation } = session
  const runId = env.ids.uuid()
  await session.claim(runId)
  env.steps.enter('correct')
  const facts = { runId, loaded, generation: generation.name, trigger: 'corrections', plan: null }
  const row = runningRow({ ...facts, startedAt: env.clock.now() })
  const before = env.state.open(loaded.job.name, pending.from, { create: false, readonly: true })
  try {
    const topics = pending.topics.filter((topic) => !except.includes(topic))
    const after = topics[0] === pending.topics[0] ? pending.after : null
    return await new CorrectionRun(session, before, row).run({ ...pending, topics, after })
  } finally {
    before?.close()
  }
}

class CorrectionRun {
  readonly #session: Session
  readonly #before: StateFile | undefined
  #row: RunRow

  constructor(session: Session, before: StateFile | undefined, row: RunRow) {
    this.#session = session
    this.#before = before
    this.#row = row
  }

  async run(pending: Corrections): Promise<number> {
    const { env, loaded, checkpoint } = this.#session
    const partitionsOf = await ensureOutputTopics(env.log, loaded.job, checkpoint?.exchangePartitions ?? 1)
    const sinks = ownedSinks(loaded.job.topology)
    let left = pending
    for (const topic of pending.topics) {
      const sink = sinks.find((each) => each.topic.name === topic)
      const stager = new BatchStager(topic, partitionsOf(topic))
      const staged = sink === undefined ? 0 : await this.#topic(sink, stager, left)
      left = { ...left, topics: left.topics.slice(1), after: null }
      await this.#commit(stager.drain(true), left, sink, staged)
    }
    if (pending.topics.length === 0) await this.#commit([], left, undefined, 0)
    return Object.values(this.#row.steps).reduce((sum, { outputs = 0 }) => sum + outputs, 0)
  }

  /** Commits all slices of a topic but the last one, and gives the number of records that are staged for that. */
  async #topic(sink: TableSinkNode, stager: BatchStager, left: Corrections): Promise<number> {
    const { env, file: now, loaded } = this.#session
    const { sliceRecords, sliceBytes } = loaded.job.settings
    const after = left.after === null ? null : toByteString(Buffer.from(left.after, 'base64url'))
    let staged = 0
    let looked = 0
    for (const pair of correctionRows({ topic: stager.topic, before: this.#before, now }, after)) {
      if (appendCorrection(stager, sink.topic, pair)) staged++
      if (staged >= sliceRecords || stager.stagedBytes >= sliceBytes) {
        const key = fromByteString((pair.right ?? pair.left)?.key ?? '').toString('base64url')
        await this.#commit(stager.drain(true), { ...left, after: key }, sink, staged)
        staged = 0
      }
      if (++looked % ROWS_AT_ONCE > 0) continue
      await env.clock.yield()
      await this.#session.renewLease(this.#row.runId)
    }
    return staged
  }

  /** One slice: what is left after it is in the checkpoint, and with the last one what was kept for it goes. */
  async #commit(
    batches: readonly StagedBatch[],
    left: Corrections,
    sink: TableSinkNode | undefined,
    outputs: number,
  ): Promise<void> {
    const session = this.#session
    const { env, file, outside, checkpoint } = session
    if (checkpoint === null) throw new Error('a generation that is live after a switch has a checkpoint')
    const ended = left.topics.length === 0
    const token = nextToken(session.parent, env.ids.uuid())
    const { corrections: _, ...rest } = checkpoint
    const next: Checkpoint = { ...rest, token, made: null, ...(ended ? {} : { corrections: left }) }
    const run = this.#counted(sink, outputs, ended)
    const write = () => {
      if (ended) dropKeptStores(file)
      const outbox = { token, endsRun: ended, batches }
      return { checkpoint: { token, bytes: encodeCheckpoint(next) }, outbox, run, events: [] }
    }
    const delivery = session.delivery(run.runId, false, ended)
    await commitSlice({ file, outside, steps: env.steps, batches, write, delivery })
    session.committed(next, delivery)
    this.#row = run
  }

  #counted(sink: TableSinkNode | undefined, outputs: number, ended: boolean): RunRow {
    const row = this.#row
    const finishedAt = this.#session.env.clock.now()
    const before = sink === undefined ? 0 : (row.steps[sink.name]?.outputs ?? 0)
    const steps = sink === undefined ? row.steps : { ...row.steps, [sink.name]: { outputs: before + outputs } }
    const done = ended ? ({ status: 'done', finishedAt, durationMs: finishedAt - row.startedAt } as const) : {}
    return { ...row, steps, slices: row.slices + 1, ...done }
  }
}
