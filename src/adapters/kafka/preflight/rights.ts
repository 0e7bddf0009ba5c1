/** What a user may do with a topic, as one of the bits by which brokers tell it. */
const BITS = { Read: 1 << 3, Write: 1 << 4, Describe: 1 << 8 } as const

export type Right = keyof typeof BITS

/** Those of `wanted` that are not among `rights`; none where nothing is known of them. */
export function lacking(rights: number | undefined, wanted: readonly Right[]): readonly Right[] {
  return rights === undefined ? [] : wanted.filter((right) => (rights & BITS[right]) === 0)
}
