/** `[start, start + size)` for every start that is a multiple of `advance`, 0 or more. Tumbling where advance = size. */
export interface TimeWindows {
  readonly kind: 'time'
  readonly sizeMs: number
  readonly advanceMs: number
  readonly graceMs: number
  /** Windows older than the newest by this much are removed. At least size + grace; default the larger of that and a day. */
  readonly retentionMs: number
}

/** Windows that are as wide as `difference` and begin or end at records: `[t - difference, t]` and `[t + 1, t + 1 + difference]`. */
export interface SlidingWindows {
  readonly kind: 'sliding'
  readonly differenceMs: number
  readonly graceMs: number
  /** At least two differences + grace; default the larger of that and a day. */
  readonly retentionMs: number
}

/** Records of one key with no more than `gap` between one and the next: `[first, last]`. */
export interface SessionWindows {
  readonly kind: 'session'
  readonly gapMs: number
  readonly graceMs: number
  /** At least gap + grace; default the larger of that and a day. */
  readonly retentionMs: number
}

export type CalendarUnit = 'day' | 'week' | 'month'

/** `[start, end)` where both are midnights in a time zone: of a day, of a Monday, or of the first day of a month. */
export interface CalendarWindows {
  readonly kind: 'calendar'
  readonly unit: CalendarUnit
  /** IANA name. */
  readonly zone: string
  readonly graceMs: number
  /** At least the longest window + grace. */
  readonly retentionMs: number
}

/** The windows that an aggregate can have. */
export type WindowSpec = FramedWindows | SlidingWindows | SessionWindows

/** Windows whose start says where they end. */
export type FramedWindows = TimeWindows | CalendarWindows
