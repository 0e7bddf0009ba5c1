import type { Serde } from '../../serde/serde.ts'
import type { ProcessStore } from '../../topology/processor/process-store.ts'

declare const opens: unique symbol

/** A store that a processor declares, without its name. `Store` is what the processor sees of it. */
export interface StoreSpec<Store> extends Omit<ProcessStore, 'store' | 'history'> {
  readonly key: Serde<unknown>
  readonly value: Serde<unknown>
  readonly retentionMs?: number
  readonly [opens]?: Store
}

/** The stores of a processor, by name. */
export type StoreSpecs = Readonly<Record<string, StoreSpec<unknown>>>

/** The same as the processor sees them. */
export type OpenedStores<Specs extends StoreSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends StoreSpec<infer Store> ? Store : never
}
