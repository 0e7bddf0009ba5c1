/** The first few keys on which two maps disagree, with what each says; empty where they are equal. */
export function different(
  actual: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): readonly (readonly [key: string, actual: string | undefined, expected: string | undefined])[] {
  const keys = new Set([...actual.keys(), ...expected.keys()])
  return [...keys]
    .filter((key) => actual.get(key) !== expected.get(key))
    .slice(0, 10)
    .map((key) => [key, actual.get(key), expected.get(key)])
}
