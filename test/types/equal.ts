/** True where two types are the same, not only assignable. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Checks a type where it is called; at run time it does nothing. */
export function expectType<Expected>(): <Actual>(
  value: Actual,
  ...same: Equal<Actual, Expected> extends true ? [] : [differs: Actual]
) => void {
  return () => undefined
}
