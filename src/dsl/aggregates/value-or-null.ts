/** A value without null and undefined; with null where they may all have been left out. */
export type ValueOrNull<X> = [X] extends [NonNullable<X>] ? X : NonNullable<X> | null
