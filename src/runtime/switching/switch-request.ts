import type { DataLossPolicy } from '../../planner/data-loss-policy.ts'
import type { RunRow } from '../../ports/history.ts'
import type { Tolerance } from '../diff/tolerance.ts'

export interface SwitchRequest {
  /** The generation that is to be live. */
  readonly generation: string
  readonly how: 'switch' | 'rollback'
  /** Records that the switch itself may replay, at the most: so long nothing else runs. */
  readonly maxCatchUp: number
  /** Rows that may differ from the live ones; null where that is not asked. */
  readonly maxDifferent: number | null
  readonly tolerance: Tolerance
  /** Topics whose wrong outputs stay as they are. */
  readonly noCorrections: readonly string[]
  /** Generations that were live, and are kept beside the one that is retired now. */
  readonly keep: number
  readonly takeOver?: boolean
  readonly onDataLoss?: DataLossPolicy
  readonly onProgress?: (run: RunRow) => void
}

export interface SwitchReport {
  readonly job: string
  readonly how: 'switch' | 'rollback'
  readonly generation: string
  /** The generation that was live before; null where this one was already. */
  readonly from: string | null
  /** Records that were replayed by the switch itself. */
  readonly caughtUp: number
  /** Null where it was not asked. */
  readonly differing: number | null
  /** Topics whose outputs are right now. */
  readonly corrected: readonly string[]
  /** Records that were published to make them so. */
  readonly corrections: number
  /** Generations that are no longer kept. */
  readonly removed: readonly string[]
  readonly notices: readonly string[]
}
