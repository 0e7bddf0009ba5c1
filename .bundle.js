import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'

// Bundles what the command line loads, with the packages that a run needs, into one file: a start opens that and what V8 has
// made of it (bin/load-bundle.js), instead of hundreds. Rolldown's own command would print it, to everyone who installs.
const FOLDER = 'dist/bundle'
/** Packages that stay outside: with native code or WebAssembly, or loaded by few commands. */
const OUTSIDE = /^(better-sqlite3|@node-rs\/crc32|@toondepauw\/node-zstd|snappy|lz4-wasm-nodejs|@datadog\/sketches-js)$/
/** The sources load packages at first use by this. Without it rolldown sees them, and they still run at first use. */
const REQUIRE = /^const require = createRequire\(import\.meta\.url\);$/m
/** jiti's compiler, larger than all the rest, is for job files that have changed. */
const COMPILER = /[/\\]jiti[/\\]dist[/\\]babel\.cjs$/
/** In Node 20, code that V8 takes up again cannot import any more: whoever runs the bundle does it. */
const JITI = /[/\\]jiti[/\\]lib[/\\]jiti\.cjs$/
const IMPORT = /\bimport\(/
const LOAD_COMPILER =
  "module.exports = require(require('node:path').join(require.resolve('jiti/package.json'), '../dist/babel.cjs'))"

const { output } = await build({
  input: { main: 'dist/cli/main.js' },
  platform: 'node',
  external: OUTSIDE,
  logLevel: 'silent',
  plugins: [
    {
      name: 'packages-at-first-use',
      transform: (code, id) => (JITI.test(id) ? code.replace(IMPORT, 'importModule(') : code.replace(REQUIRE, '')),
      load: (id) => (COMPILER.test(id) ? LOAD_COMPILER : undefined),
    },
  ],
  output: { format: 'cjs', codeSplitting: false, comments: { legal: true, annotation: false, jsdoc: false } },
  write: false,
})
const [{ code, modules }] = output

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
// What is not ASCII stands in texts. Without it the bundle is read as it lies, and takes a byte a character.
const escaped = code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
writeFileSync(join(FOLDER, 'main.cjs'), atFirstUse(escaped))

const PACKAGE = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/
const packages = [...new Set(Object.keys(modules).flatMap((id) => PACKAGE.exec(id)?.[0] ?? []))].sort()
writeFileSync(join(FOLDER, 'LICENSES.txt'), packages.map(licence).join(`\n\n${'-'.repeat(80)}\n\n`))

const { compileBundle } = createRequire(import.meta.url)('./bin/load-bundle.js')
compileBundle()

/** A bundle asks for all of Node's modules at its start: this one takes milliseconds, and schedulers alone need it. */
function atFirstUse(code) {
  return code.replaceAll(
    /^let (\w+) = require\("((?:node:)?child_process)"\);$/gm,
    'const $1 = new Proxy({}, { get: (_, name) => require("$2")[name] });',
  )
}

/** What a package asks everyone to pass on who passes on its code. */
function licence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version}, ${license}`, ...texts].join('\n\n')
}
