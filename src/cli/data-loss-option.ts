import type { DataLossPolicy } from '../planner/data-loss-policy.ts'

export interface DataLossOption {
  readonly onDataLoss: DataLossPolicy
}

/** `--on-data-loss`, which every verb that reads input takes. */
export const DATA_LOSS_OPTION = {
  choices: ['fail', 'skip'],
  default: 'fail',
  describe: 'when input is no longer there',
} as const satisfies { readonly choices: readonly DataLossPolicy[]; readonly default: DataLossPolicy; describe: string }
