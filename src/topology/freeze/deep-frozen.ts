/** Freezes plain objects and arrays, all the way down. Functions, serdes and what has a class of its own stay as they are. */
export function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  for (const part of Object.values(value)) deepFrozen(part)
  return Object.freeze(value)
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || ((prototype === Object.prototype || prototype === null) && !('encode' in value))
}
