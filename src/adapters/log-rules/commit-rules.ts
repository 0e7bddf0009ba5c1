import { TidemarkError } from '../../core/errors.ts'
import type { Token } from '../../core/token.ts'
import type { CommitRecord, Delivery } from '../../ports/outside.ts'

/** What `commit` has to do: write the record and its batches, or nothing since they are there. Throws FENCED. */
export function decideCommit(inForce: CommitRecord | undefined, record: CommitRecord): 'deliver' | 'delivered' {
  const token = tokenOf(record)
  if (inForce?.token?.id === token.id) return 'delivered'
  checkClaimed(inForce, record.delivery)
  const id = inForce?.token?.id ?? null
  if (id === token.parent) return 'deliver'
  throw new TidemarkError(
    'FENCED',
    `commit ${token.seq} does not follow the one in force (${nameOf(inForce?.token)})`,
    {
      hint: 'Another run has committed meanwhile. Start again: the start compares both sides.',
    },
  )
}

/** Throws FENCED when another instance has claimed the record since. */
export function checkClaimed(inForce: CommitRecord | undefined, own: Pick<Delivery, 'instance'>): void {
  if (inForce === undefined || inForce.delivery.instance === own.instance) return
  throw new TidemarkError('FENCED', `instance ${inForce.delivery.instance} has taken over this job`, {
    hint: 'Its state directory is another one. Let one of the two run this job.',
  })
}

/** The record that a claim writes: the one in force, under the claimant's name. Throws LEASED. */
export function decideClaim(
  inForce: CommitRecord | undefined,
  delivery: Delivery,
  nowMs: number,
  takeOver: boolean,
): CommitRecord {
  const other = inForce?.delivery
  if (other !== undefined && other.instance !== delivery.instance && other.leaseUntil > nowMs && !takeOver) {
    const until = new Date(other.leaseUntil).toISOString()
    throw new TidemarkError(
      'LEASED',
      `instance ${other.instance} holds this job until ${until}, for run ${other.runId}`,
      {
        hint: 'Wait for it, or, when it is known to be dead, end its lease with `--take-over`.',
      },
    )
  }
  return { token: inForce?.token ?? null, checkpoint: inForce?.checkpoint ?? null, delivery }
}

function tokenOf(record: CommitRecord): Token {
  if (record.token === null || record.checkpoint === null) throw new Error('a commit has a token and a checkpoint')
  return record.token
}

function nameOf(token: Token | null | undefined): string {
  return token === null || token === undefined ? 'none' : `${token.seq}, ${token.id}`
}
