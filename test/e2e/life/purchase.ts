/** A record of the input: what a shop sold. */
export interface Purchase {
  readonly shop: string
  readonly cents: number
  /** Epoch ms. */
  readonly at: number
}
