import type { AggregateSpec, MergeableSpec } from './aggregate-spec.ts'

/** What a cogroup needs beside its adders. */
export type CogroupSpec<K, A, R = A> = Omit<AggregateSpec<K, never, A, A, R>, 'add' | 'undo' | 'readsValue'>

/** The same for sessions, which merge. */
export type MergeableCogroupSpec<K, A, R = A> = Omit<MergeableSpec<K, never, A, A, R>, 'add' | 'undo' | 'readsValue'>
