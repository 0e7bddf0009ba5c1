import { type Checkpoint, decodeCheckpoint } from '../../core/checkpoint.ts'
import type { HistoryEvent, RunRow } from '../../ports/history.ts'
import type { StateFile } from '../../ports/state-file.ts'
import { givenUp } from './cut-event.ts'
import { HistoryReader } from './history-reader.ts'
import type { HistoryStep, RestoredPoint } from './history-step.ts'

/** What a generation's file tells of its past, as far back as it goes. */
export interface History {
  readonly generation: string
  /** What it has committed last. */
  readonly checkpoint: Checkpoint
  /** In the order in which they were committed, up to the checkpoint. */
  readonly steps: readonly HistoryStep[]
  /** Where the state was restored from its changelogs: the history begins there. Null where it begins with the state. */
  readonly restored: RestoredPoint | null
}

/** Reads the history of a generation, or undefined where it has committed nothing. The file may be open to read. */
export function readHistory(generation: string, file: StateFile): History | undefined {
  const stored = file.checkpoint()
  if (stored === undefined) return undefined
  const checkpoint = decodeCheckpoint(stored.bytes)
  const { seq: last } = checkpoint.token
  const told = file.events().filter(({ seq }) => seq <= last)
  const events: readonly HistoryEvent[] = [...told, ...givenUp(checkpoint)]
  const runs = new Map<string, RunRow | undefined>()
  const runOf = (runId: string) => {
    if (!runs.has(runId)) runs.set(runId, file.run(runId))
    return runs.get(runId)
  }
  const reader = new HistoryReader(runOf)
  for (const event of events) reader.take(event)
  return { generation, checkpoint, ...reader.told() }
}
