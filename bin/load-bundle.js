const { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } = require('node:fs')
const { createRequire } = require('node:module')
const { dirname, join } = require('node:path')
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

const BUNDLE = join(__dirname, '../dist/bundle/main.cjs')

// V8 would rather grow than collect; a run's memory is to follow its caches, not the length of its range. Set before anything
// is compiled: V8 takes what it has compiled only under the flags that it was compiled under.
setFlagsFromString('--heap-growing-percent=60')

/** Runs the bundle, and gives what it exports. It is compiled once for each version of Node: see `compileBundle`. */
exports.loadBundle = () => {
  const found = readCompiled()
  if (found === undefined) compileBundle()
  const script = scriptOf(found ?? readCompiled())
  const module = { exports: {} }
  const importModule = (specifier) => import(specifier) // which is absolute
  script.runInThisContext()(module.exports, createRequire(BUNDLE), module, BUNDLE, dirname(BUNDLE), importModule)
  return module.exports
}

/**
 * Compiles the bundle, every function of it, and keeps what V8 makes of it beside it, for this version of Node and its options.
 * A start that finds it there compiles nothing. Where it cannot be written, starts are slower, and that is all.
 */
function compileBundle() {
  const draft = `${compiledPath()}.${process.pid}`
  let file
  try {
    file = openSync(draft, 'w')
    writeSync(file, compiled())
    // It is on disk before it gets its name: after a crash a part of it must not be taken for the whole.
    fsyncSync(file)
    renameSync(draft, compiledPath())
  } catch {
    rmSync(draft, { force: true })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
exports.compileBundle = compileBundle

function compiled() {
  // Of what is compiled as it is called, only so much would be kept as was called until now.
  setFlagsFromString('--no-lazy')
  const script = scriptOf(undefined)
  setFlagsFromString('--lazy')
  return script.createCachedData()
}

/** V8 sees whether it is its own, and compiles the text where it is not; what an option has made differs has another name. */
function compiledPath() {
  const { arch, env, execArgv, version } = process
  const options = execArgv.length > 0 || env.NODE_OPTIONS ? `-${cachedDataVersionTag()}` : ''
  return join(dirname(BUNDLE), `compiled-${version}-${arch}${options}`)
}

function readCompiled() {
  try {
    return readFileSync(compiledPath())
  } catch {
    return undefined
  }
}

function scriptOf(cachedData) {
  const text = readFileSync(BUNDLE, 'latin1') // ASCII
  return new Script(`(function (exports, require, module, __filename, __dirname, importModule) {${text}\n})`, {
    filename: BUNDLE,
    cachedData,
  })
}
