/** The result of an aggregate over a field: null where the field may be missing, since all of them may be. */
export type OrNull<X> = [X] extends [number] ? number : number | null
