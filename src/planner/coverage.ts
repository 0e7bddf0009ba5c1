import { type PartitionRange, partitionKey } from '../core/offsets.ts'
import type { ProcessedRange } from './processed-range.ts'

/** `[from, to)`. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** What runs have processed of one partition. All spans are in offset order. */
export interface PartitionCoverage {
  readonly topic: string
  readonly partition: number
  readonly topicId: string
  /** Processed at least once; neighbours are joined. */
  readonly covered: readonly Span[]
  /** Between the first and the last covered offset, and processed by no run. */
  readonly gaps: readonly Span[]
  /** Processed more than once, and by which runs. */
  readonly overlaps: readonly (Span & { readonly runs: readonly string[] })[]
}

/** Which offsets were processed, by topic and partition. A topic made again under its name stands apart. */
export function coverageOf(processed: readonly ProcessedRange[]): readonly PartitionCoverage[] {
  const groups = new Map<string, ProcessedRange[]>()
  for (const range of processed) {
    if (range.from >= range.to) continue
    const key = `${partitionKey(range.topic, range.partition)} ${range.topicId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [range])
    else group.push(range)
  }
  return [...groups.values()].map(partitionCoverage).sort(byPartition)
}

/**
 * What no run has processed of the ranges in `within`. `topicIds` says which topics these are: what was read of another
 * topic of the same name does not count.
 */
export function missingRanges(
  coverage: readonly PartitionCoverage[],
  within: readonly PartitionRange[],
  topicIds: Readonly<Record<string, string>>,
): readonly PartitionRange[] {
  return within.flatMap(({ topic, partition, from, to }) => {
    const known = coverage.find(
      (part) => part.topic === topic && part.partition === partition && part.topicId === topicIds[topic],
    )
    return spansBetween(known?.covered ?? [], { from, to }).map((span) => ({ topic, partition, ...span }))
  })
}

function partitionCoverage(ranges: readonly ProcessedRange[]): PartitionCoverage {
  const { topic, partition, topicId } = ranges[0] as ProcessedRange
  const pieces = piecesOf(ranges)
  const covered = joined(pieces).map(({ from, to }) => ({ from, to }))
  return {
    topic,
    partition,
    topicId,
    covered,
    gaps: covered.slice(1).map(({ from: to }, index) => ({ from: (covered[index] as Span).to, to })),
    overlaps: joined(
      pieces.filter((piece) => piece.runs.length > 1),
      sameRuns,
    ),
  }
}

/** Cuts what is covered at every edge, and says for each piece which runs cover it, in their order. */
function piecesOf(ranges: readonly ProcessedRange[]): readonly Piece[] {
  const edges = [...new Set(ranges.flatMap(({ from, to }) => [from, to]))].sort((left, right) => left - right)
  const byStart = [...ranges].sort((left, right) => left.from - right.from)
  const pieces: Piece[] = []
  let active: readonly ProcessedRange[] = []
  let next = 0
  for (const [index, to] of edges.slice(1).entries()) {
    const from = edges[index] as number
    const first = next
    while (byStart[next]?.from === from) next++
    active = [...active.filter((range) => range.to > from), ...byStart.slice(first, next)]
    if (active.length > 0) pieces.push({ from, to, runs: active.map((range) => range.runId) })
  }
  return pieces
}

type Piece = Span & { readonly runs: readonly string[] }

/** Joins neighbours that touch and are alike. */
function joined(
  pieces: readonly Piece[],
  alike: (left: Piece, right: Piece) => boolean = () => true,
): readonly Piece[] {
  const out: Piece[] = []
  for (const piece of pieces) {
    const last = out.at(-1)
    if (last !== undefined && last.to === piece.from && alike(last, piece))
      out[out.length - 1] = { ...last, to: piece.to }
    else out.push(piece)
  }
  return out
}

function sameRuns(left: Piece, right: Piece): boolean {
  return left.runs.length === right.runs.length && left.runs.every((run, index) => run === right.runs[index])
}

/** What of `within` none of the spans covers. */
function spansBetween(spans: readonly Span[], within: Span): readonly Span[] {
  const left: Span[] = []
  let { from } = within
  for (const span of spans) {
    if (span.to <= from) continue
    if (span.from >= within.to) break
    if (span.from > from) left.push({ from, to: span.from })
    from = span.to
  }
  if (from < within.to) left.push({ from, to: within.to })
  return left
}

function byPartition(left: PartitionCoverage, right: PartitionCoverage): number {
  if (left.topic !== right.topic) return left.topic < right.topic ? -1 : 1
  if (left.partition !== right.partition) return left.partition - right.partition
  return left.topicId < right.topicId ? -1 : 1
}
