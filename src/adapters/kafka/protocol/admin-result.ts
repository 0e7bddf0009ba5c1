/** What became of one topic in a request that changes topics. */
export interface AdminResult {
  readonly errorCode: number
  /** The broker's words, where it has some. */
  readonly message: string | null
}
