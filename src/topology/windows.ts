/** `[start, start + size)` for every start that is a multiple of `advance`, 0 or more. Tumbling where advance = size. */
export interface TimeWindows {
  readonly kind: 'time'
  readonly sizeMs: number
  readonly advanceMs: number
  readonly graceMs: number
  /** Windows older than the newest by this much are removed. At least size + grace; default the larger of that and a day. */
  readonly retentionMs: number
}

/** The windows that an aggregate can have. */
export type WindowSpec = TimeWindows
