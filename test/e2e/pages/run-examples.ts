// Copied into a checkout and compiled there, beside the examples that it runs: `node run-examples.js DIST EXAMPLE…`.
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
  /** What it failed with, or null. */
  readonly failure: string | null
}

type Methods = Record<string, (...given: unknown[]) => unknown>

const [dist = '', ...files] = process.argv.slice(2)
let called = new Set<string>()
let driven = 0

for (const folder of ['dsl', 'testing']) {
  for (const name of readdirSync(join(dist, folder)).filter((each) => each.endsWith('.js'))) {
    const module: Record<string, unknown> = await import(pathToFileURL(join(dist, folder, name)).href)
    for (const [className, exported] of Object.entries(module)) {
      if (typeof exported === 'function' && exported.prototype !== undefined) watch(className, exported.prototype)
    }
  }
}

const runs: ExampleRun[] = []
for (const file of files) {
  called = new Set()
  driven = 0
  const failure = await import(pathToFileURL(file).href).then(
    () => null,
    (error: Error) => `${error.message}\n${error.stack}`,
  )
  runs.push({ file, called: [...called], driven, failure })
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
