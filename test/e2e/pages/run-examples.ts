// Copied into a checkout and compiled there, beside the examples that it runs: `node run-examples.js DIST EXAMPLE…`.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** What an example did. */
export interface ExampleRun {
  readonly file: string
  /** `Class.method` of the DSL's classes. */
  readonly called: readonly string[]
  /** How often a test driver has processed records. */
  readonly driven: number
  /** How often it has compared something with a result that is not empty, or has waited for a failure. */
  readonly compared: number
  /** What it failed with, or null. */
  readonly failure: string | null
}

type Methods = Record<string, (...given: unknown[]) => unknown>

const [dist = '', ...files] = process.argv.slice(2)
let called = new Set<string>()
let driven = 0
let compared = 0

for (const folder of ['dsl', 'testing']) {
  for (const name of readdirSync(join(dist, folder)).filter((each) => each.endsWith('.js'))) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(dist, folder, name)).href)
    for (const [className, exported] of Object.entries(module)) {
      if (typeof exported === 'function' && exported.prototype !== undefined) watch(className, exported.prototype)
    }
  }
}

for (const name of ['equal', 'deepEqual', 'rejects']) countComparisons(assert as unknown as Methods, name)

const runs: ExampleRun[] = []
for (const file of files) {
  called = new Set()
  driven = 0
  compared = 0
  const failure = await import(pathToFileURL(file).href).then(
    () => null,
    (error: Error) => `${error.message}\n${error.stack}`,
  )
  runs.push({ file, called: [...called], driven, compared, failure })
}
process.stdout.write(JSON.stringify(runs))

/** Notes every call of a method, and lets it through. */
function watch(className: string, prototype: Methods): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method = Object.getOwnPropertyDescriptor(prototype, name)?.value
    if (name === 'constructor' || typeof method !== 'function') continue
    prototype[name] = function (this: unknown, ...given: unknown[]): unknown {
      called.add(`${className}.${name}`)
      if (className === 'TestDriver' && name === 'process') driven++
      return method.apply(this, given)
    }
  }
}

/** Notes every comparison with something, and lets it through. */
function countComparisons(all: Methods, name: string): void {
  const compare = all[name]
  all[name] = (...given) => {
    const [, expected] = given
    if (!(Array.isArray(expected) && expected.length === 0)) compared++
    return compare?.(...given)
  }
}
