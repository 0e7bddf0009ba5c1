import { randomUUID } from 'node:crypto'
import type { Token } from '../../../src/core/token.ts'
import type { StagedBatch } from '../../../src/ports/log.ts'
import type { CommitRecord, Delivery, Outside } from '../../../src/ports/outside.ts'

export type Commit = CommitRecord & { readonly token: Token; readonly checkpoint: Uint8Array }

export function delivery(instance: string, over: Partial<Delivery> = {}): Delivery {
  return { instance, runId: `run of ${instance}`, leaseUntil: 0, endsRun: false, ...over }
}

/** The commit that follows `parent`, by `instance`. */
export function commitAfter(parent: Commit | null, instance: string, over: Partial<Delivery> = {}): Commit {
  const seq = (parent?.token.seq ?? 0) + 1
  const token = { seq, id: randomUUID(), parent: parent?.token.id ?? null }
  return { token, checkpoint: Buffer.from(`checkpoint ${token.id}`), delivery: delivery(instance, over) }
}

/** One slice's way out, from begin to commit. */
export async function deliver(outside: Outside, batches: readonly StagedBatch[], record: CommitRecord): Promise<void> {
  await outside.begin()
  await outside.send(batches)
  await outside.acknowledged()
  await outside.commit(record)
}

/** A record as plain data, whatever kind of bytes its checkpoint is. */
export function plain(record: CommitRecord | undefined): unknown {
  return record && { ...record, checkpoint: record.checkpoint && Buffer.from(record.checkpoint).toString() }
}
