import fc from 'fast-check'
import type { Purchase } from './purchase.ts'

export interface Sale {
  readonly do: 'sell'
  readonly purchases: readonly Purchase[]
}

/** One thing that a person does; where it is killed, so many ms after its start. */
export type Move =
  | Sale
  | { readonly do: 'run' | 'verify' | 'rollback'; readonly killAfterMs: number | null }
  | { readonly do: 'run-some'; readonly offsets: number; readonly killAfterMs: number | null }
  | { readonly do: 'stream'; readonly forMs: number; readonly signal: 'SIGTERM' | 'SIGKILL' }
  | { readonly do: 'backfill'; readonly from: number; readonly every: number; readonly killAfterMs: number | null }
  | { readonly do: 'reprocess'; readonly killAfterMs: number | null }
  /** To the nth reprocessing, counted from the last one. */
  | { readonly do: 'switch'; readonly nth: number; readonly killAfterMs: number | null }
  /** The state directory of the job is lost, kept aside, or put back as it was when it was kept. */
  | { readonly do: 'lose' | 'keep' | 'put-back' }

const purchase = fc.record({
  shop: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  cents: fc.nat(100),
  at: fc.integer({ min: 1_700_000_000_000, max: 1_700_000_200_000 }),
})

const killAfterMs = fc.option(fc.integer({ min: 50, max: 600 }), { freq: 2 })

export const selling: fc.Arbitrary<Sale> = fc.record({
  do: fc.constant('sell' as const),
  purchases: fc.array(purchase, { minLength: 1, maxLength: 25 }),
})

const ordinary: readonly fc.WeightedArbitrary<Move>[] = [
  { weight: 5, arbitrary: selling },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('run' as const), killAfterMs }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('run-some' as const),
      offsets: fc.integer({ min: 1, max: 9 }),
      killAfterMs,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stream' as const),
      forMs: fc.integer({ min: 300, max: 900 }),
      signal: fc.constantFrom('SIGTERM' as const, 'SIGKILL' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('backfill' as const),
      from: fc.nat(4),
      every: fc.integer({ min: 1, max: 5 }),
      killAfterMs,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reprocess' as const), killAfterMs }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('switch' as const), nth: fc.nat(2), killAfterMs }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('rollback' as const, 'verify' as const), killAfterMs }) },
]

const losing: fc.WeightedArbitrary<Move> = {
  weight: 3,
  arbitrary: fc.record({ do: fc.constantFrom('lose' as const, 'keep' as const, 'put-back' as const) }),
}

/** What may happen to a job; `losses`: the state too is lost, or found as it was once. */
export function moves({ losses }: { readonly losses: boolean }): fc.Arbitrary<readonly Move[]> {
  const move = fc.oneof(...ordinary, ...(losses ? [losing] : []))
  return fc.array(move, { minLength: 20, maxLength: 35, size: 'max' })
}
