import { describe, expect, it } from 'vitest'
import { conceptViolations } from './rules/concepts.ts'
import { cycleViolations } from './rules/cycles.ts'
import { globalViolations } from './rules/globals.ts'
import { layerViolations } from './rules/layers.ts'
import { fileSizeViolations, functionSizeViolations, longFunctions, median } from './rules/sizes.ts'
import { parseSource } from './source-file.ts'
import { formatViolations } from './violation.ts'

const messages = (violations: Parameters<typeof formatViolations>[0]) => violations.map(({ message }) => message)

describe('layers', () => {
  it.each([
    ['src/core/a.ts', `import { b } from '../wire/b.ts'`, 'core may not import wire'],
    ['src/core/a.ts', `import type { B } from '../wire/b.ts'`, 'core may not import wire'],
    ['src/core/a.ts', `export { b } from '../wire/b.ts'`, 'core may not import wire'],
    ['src/core/a.ts', `type B = import('../wire/b.ts').B`, 'core may not import wire'],
    ['src/dsl/a.ts', `import { run } from '../runtime/run.ts'`, 'dsl may not import runtime'],
    ['src/index.ts', `export { run } from './runtime/run.ts'`, 'index.ts may not import runtime'],
    ['src/cli/run.ts', `import { Db } from '../adapters/sqlite/db.ts'`, 'cli may not import adapters/sqlite'],
    ['src/adapters/memory/a.ts', `import '../sqlite/b.ts'`, 'adapters/memory may not import adapters/sqlite'],
    ['src/core/a.ts', `import { b } from '../../test/b.ts'`, 'test/b.ts is outside src'],
    ['src/core/a.ts', `import { readFileSync } from 'node:fs'`, 'core may not import node:fs'],
    ['src/runtime/a.ts', `await import('node:child_process')`, 'runtime may not import node:child_process'],
    ['src/wire/a.ts', `require('node:os')`, 'wire may not import node:os'],
    ['src/runtime/a.ts', 'require(name)', 'imports what it computes: only an edge may'],
    ['src/runtime/a.ts', 'await import(name)', 'imports what it computes: only an edge may'],
    ['src/cli/a.ts', `import Database from 'better-sqlite3'`, 'better-sqlite3 is imported from adapters/sqlite alone'],
    ['src/cli/a.ts', `import pad from 'left-pad/more'`, 'left-pad has no row in the table of outside dependencies'],
    ['src/adapters/log-rules/a.ts', `import '../memory/b.ts'`, 'adapters/log-rules may not import adapters/memory'],
    ['src/helpers/a.ts', '', 'is in a folder that the layer table does not know'],
  ])('refuses in %s: %s', (path, text, message) => {
    expect(messages(layerViolations([parseSource(path, text)]))).toEqual([message])
  })

  it.each([
    ['src/wire/a.ts', `import { toByteString } from '../core/bytes.ts'\nimport { gunzipSync } from 'node:zlib'`],
    ['src/core/a.ts', `import { b } from './deep/b.ts'`],
    [
      'src/cli/a.ts',
      `import { hideBin } from 'yargs/helpers'\nawait import(file)\nimport { argv } from 'node:process'`,
    ],
    ['src/adapters/memory/a.ts', `import '../log-rules/b.ts'`],
    ['src/compose.ts', `import { Db } from './adapters/sqlite/db.ts'`],
    [
      'src/adapters/sqlite/a.ts',
      `import Database from 'better-sqlite3'\nimport type { Log } from '../../ports/log.ts'`,
    ],
  ])('allows in %s: %s', (path, text) => {
    expect(layerViolations([parseSource(path, text)])).toEqual([])
  })

  it('names the line', () => {
    const file = parseSource('src/core/a.ts', `\n\nimport '../wire/b.ts'\n`)
    expect(formatViolations(layerViolations([file]))).toEqual(['src/core/a.ts:3 core may not import wire'])
  })
})

describe('cycles', () => {
  const files = (kind: string) => [
    parseSource('src/core/a.ts', `import { b } from './b.ts'`),
    parseSource('src/core/b.ts', `import { c } from './c.ts'`),
    parseSource('src/core/c.ts', `import ${kind} { b } from './b.ts'`),
  ]

  it('refuses a circle of values, however long the way to it', () => {
    expect(messages(cycleViolations(files('')))).toEqual([
      'imports in a circle: src/core/b.ts → src/core/c.ts → src/core/b.ts',
    ])
  })

  it('refuses a file that imports itself', () => {
    expect(cycleViolations([parseSource('src/core/a.ts', `import { a } from './a.ts'`)])).toHaveLength(1)
  })

  it('allows a circle that only types close', () => {
    expect(cycleViolations(files('type'))).toEqual([])
  })
})

describe('sizes', () => {
  const lines = (count: number) => '1\n'.repeat(count)

  it('refuses a file of 401 lines', () => {
    expect(messages(fileSizeViolations([parseSource('src/core/a.ts', lines(401))]))).toEqual([
      'has 401 lines, 400 are allowed',
    ])
    expect(fileSizeViolations([parseSource('src/core/a.ts', lines(400))])).toEqual([])
  })

  it.each([
    ['f', (body: string) => `function f() {\n${body}}`],
    ['f', (body: string) => `const f = () => {\n${body}}`],
    ['f', (body: string) => `class A {\n  f() {\n${body}}\n}`],
    ['f', (body: string) => `const a = { f: async () => {\n${body}} }`],
    ['a function without a name', (body: string) => `run(() => {\n${body}})`],
  ])('refuses a function %s of 61 lines', (name, around) => {
    const file = (count: number) => parseSource('src/core/a.ts', around(lines(count)))
    expect(messages(functionSizeViolations([file(59)]))).toEqual([`${name} has 61 lines, 60 are allowed`])
    expect(functionSizeViolations([file(58)])).toEqual([])
  })

  it('allows a function that is listed', () => {
    const file = parseSource('src/wire/a.ts', `function hot() {\n${lines(70)}}`)
    expect(longFunctions(file)).toMatchObject([{ name: 'hot', lines: 72 }])
    expect(functionSizeViolations([file], [{ path: 'src/wire/a.ts', name: 'hot' }])).toEqual([])
  })

  it('takes the middle as the median', () => {
    expect([median([]), median([7]), median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([0, 7, 2, 3])
  })
})

describe('globals', () => {
  it.each([
    ['console.log(1)', 'console'],
    ['const { env } = process', 'process'],
    ['const t = performance.now()', 'performance'],
    ['setTimeout(f, 1)', 'setTimeout'],
    ['setInterval(f, 1)', 'setInterval'],
    ['setImmediate(f)', 'setImmediate'],
    ['crypto.randomUUID()', 'crypto'],
    ['fetch(url)', 'fetch'],
    ['globalThis.console.log(1)', 'globalThis'],
    ['require("fs")', 'require'],
    ['Date.now()', 'Date.now'],
    ['new Date()', 'new Date with 0 arguments'],
    ['new Date(2013, 0)', 'new Date with 2 arguments'],
    ['Date()', 'Date'],
    ['const clock = Date', 'Date'],
    ['Math.random()', 'Math.random'],
    ['const { random } = Math', 'Math.random'],
    ['AbortSignal.timeout(1)', 'AbortSignal.timeout'],
    ['date.getHours()', `getHours (the machine's time zone or language)`],
    ['left.localeCompare(right)', `localeCompare (the machine's time zone or language)`],
    ['const f = () => { const g = (a = process) => a }', 'process'],
    ['{ const process = 1 }\nprocess', 'process'],
    ['declare const process: { exit(): never }\nprocess.exit()', 'process'],
    ['const a = { process }', 'process'],
    ['a[process]', 'process'],
    ['switch (a) { case 1: process }', 'process'],
    ['(process as object)!', 'process'],
    ['export { process }', 'process'],
  ])('refuses %s', (text, what) => {
    const violations = globalViolations([parseSource('src/runtime/a.ts', text)])
    expect(messages(violations)).toEqual([`uses ${what}: only an edge may`])
  })

  it.each([
    'operator.process(key, value)',
    'const a = { process: 1 }',
    'class A { process() {} }',
    'interface A { process: Process; fetch(): void }',
    'type T = typeof process',
    'const process = operator.process\nprocess(1)',
    'function f(process: Process) { process(1) }',
    'const f = ({ process }: Operator) => process(1)',
    'const f = ([process = 1, ...fetch]) => [process, fetch]',
    'for (const process of processes) process()',
    'try { f() } catch (process) { throw process }',
    'import { process } from "./process.ts"\nprocess()',
    'switch (a) { case 1: { const process = 1; g(process) } }',
    'function f() { g(); function g() { process() } const process = () => 1 }',
    'const f = function process() { process() }',
    'enum process { a }\nprocess.a',
    'export { process } from "./process.ts"',
    'new Date(ms).toISOString()',
    'Date.UTC(2013, 0) + Date.parse(text)',
    'if (value instanceof Date) value.getTime()',
    'Math.max(1, 2)',
    'AbortSignal.any([a, b])',
    'process: for (;;) break process',
  ])('allows %s', (text) => {
    expect(globalViolations([parseSource('src/runtime/a.ts', text)])).toEqual([])
  })

  it('allows hashes and refuses chance from node:crypto', () => {
    const file = (names: string) => parseSource('src/runtime/a.ts', `import ${names} from 'node:crypto'`)
    expect(globalViolations([file('{ createHash, type Hash }')])).toEqual([])
    for (const names of ['{ createHash, randomUUID }', '* as crypto', 'crypto']) {
      expect(globalViolations([file(names)])).toHaveLength(1)
    }
  })

  it('allows all of it at the edges', () => {
    const paths = ['src/cli/a.ts', 'src/compose.ts', 'src/adapters/machine/a.ts']
    expect(globalViolations(paths.map((path) => parseSource(path, 'process.exit(Date.now())')))).toEqual([])
  })
})

describe('concepts', () => {
  it('refuses a second exported class', () => {
    const file = parseSource(
      'src/core/a.ts',
      'export class A {}\nclass Inner {}\nexport const a = 1\nexport class B {}',
    )
    expect(formatViolations(conceptViolations([file]))).toEqual(['src/core/a.ts:4 exports a second class'])
  })
})

it('refuses to judge what it cannot parse', () => {
  expect(() => parseSource('src/core/a.ts', 'const = 1')).toThrow('src/core/a.ts')
})
