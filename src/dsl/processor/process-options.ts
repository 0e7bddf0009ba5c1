import type { Serde } from '../../serde/serde.ts'
import type { ProcessNode } from '../../topology/nodes.ts'
import type { Forward, ForwardValue, ProcessedRecord, ProcessorContext } from '../../topology/processor/context.ts'
import type { SerdeFor } from '../serde-known.ts'
import type { OpenedStores, StoreSpecs } from './store-spec.ts'

/** What a processor declares: its stores by name, and the serdes of what it forwards, where later steps need them. */
export interface ProcessOptions<Stores extends StoreSpecs, K2, KeyGiven, V2, ValueGiven> {
  readonly stores?: Stores
  readonly key?: KeyGiven & SerdeFor<NonNullable<K2>>
  readonly value?: ValueGiven & SerdeFor<NonNullable<V2>>
}

/** Known where a serde was given. */
export type KnownIfGiven<Given> = Given extends object ? 'serde' : 'no serde'

/** Makes a processor for one task, and gives back what takes the records. */
export type ProcessorInit<Stores extends StoreSpecs, K, V, K2, V2> = (
  context: ProcessorContext<OpenedStores<Stores>>,
  forward: Forward<K2, V2>,
) => (record: ProcessedRecord<K, V>) => void

/** The same for one that keeps keys. */
export type ValueProcessorInit<Stores extends StoreSpecs, K, V, V2> = (
  context: ProcessorContext<OpenedStores<Stores>>,
  forward: ForwardValue<V2>,
) => (record: ProcessedRecord<K, V>) => void

/** No stores at all. */
export type NoStores = Readonly<Record<never, never>>

interface AnyOptions {
  readonly stores?: StoreSpecs
  readonly key?: Serde<unknown>
  readonly value?: Serde<unknown>
}

/** The last arguments of `process`, whatever their types. */
export type ProcessArguments =
  | readonly [init: ProcessNode['init']]
  | readonly [options: AnyOptions, init: ProcessNode['init']]

export function processArguments(given: ProcessArguments): readonly [init: ProcessNode['init'], options: AnyOptions] {
  return given.length === 1 ? [given[0], {}] : [given[1], given[0]]
}
