import { type JobBuilder, type KStream, type SerdeKnown, string, type Windowed } from 'tidemark'
import type { JobSpec } from './random-case.ts'
import { STREAM_OUT } from './topics.ts'

/** Builds a topology around an operator: how large, how often and how late is given. */
export type OperatorShape = (builder: JobBuilder, measures: Omit<JobSpec, 'shape'>) => void

/** Writes a windowed stream out, its windows in the keys. */
export function perWindow<V, Known extends SerdeKnown>(stream: KStream<Windowed<string>, V, 'serde', Known>): void {
  stream.selectKey((_, { key, start, end }) => `${key}@${start}-${end}`, string()).to(STREAM_OUT)
}
