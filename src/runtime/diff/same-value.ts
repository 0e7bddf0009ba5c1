import { equalBytes } from '../../core/bytes.ts'
import { type Tolerance, toleranceOf } from './tolerance.ts'

/** True where two decoded values are the same, but for numbers that lie within the tolerance. */
export function sameValue(left: unknown, right: unknown, tolerance: Tolerance, path: readonly string[] = []): boolean {
  if (Object.is(left, right)) return true
  if (typeof left === 'number' && typeof right === 'number') {
    return Math.abs(left - right) <= toleranceOf(tolerance, path)
  }
  if (typeof left === 'bigint' && typeof right === 'bigint') {
    return left === right || Math.abs(Number(left - right)) <= toleranceOf(tolerance, path)
  }
  if (!isObject(left) || !isObject(right)) return false
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false
  if (left instanceof Uint8Array && right instanceof Uint8Array) return equalBytes(left, right)
  if (left instanceof Date && right instanceof Date) return left.getTime() === right.getTime()
  if (left instanceof Map && right instanceof Map) return sameItems([...left], [...right], tolerance, path)
  if (left instanceof Set && right instanceof Set) return sameItems([...left], [...right], tolerance, path)
  if (Array.isArray(left) && Array.isArray(right)) return sameItems(left, right, tolerance, path)
  return sameFields(left as Fields, right as Fields, tolerance, path)
}

type Fields = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The items of a list have the path of the list. */
function sameItems(
  left: readonly unknown[],
  right: readonly unknown[],
  tolerance: Tolerance,
  path: readonly string[],
): boolean {
  return left.length === right.length && left.every((item, index) => sameValue(item, right[index], tolerance, path))
}

function sameFields(left: Fields, right: Fields, tolerance: Tolerance, path: readonly string[]): boolean {
  const names = Object.keys(left)
  if (names.length !== Object.keys(right).length) return false
  return names.every((name) => {
    return Object.hasOwn(right, name) && sameValue(left[name], right[name], tolerance, [...path, name])
  })
}
