import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { installAt } from './helpers/installation.ts'

const home = mkdtempSync(join(tmpdir(), 'tidemark-bundle-'))
const bundle = join(home, 'dist/bundle')
const compiled = join(bundle, `compiled-${process.version}-${process.arch}`)

afterAll(() => rmSync(home, { recursive: true, force: true }))

beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  installAt(home)
})

/** What a command says, of an installation of its own: `options` are those of Node. */
function help(options: readonly string[] = []) {
  const env = { PATH: process.env.PATH }
  const args = [...options, join(home, 'bin/tidemark.js'), 'run', '--help']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env })
  return { status, stdout, stderr }
}

describe('what V8 has made of the bundle', () => {
  it('is there after the build, for this version of Node', () => {
    expect(readdirSync(bundle)).toContain(`compiled-${process.version}-${process.arch}`)
  })

  it('is made by the first start that does not find it, and changes nothing that is said', () => {
    const expected = help()
    expect(expected).toMatchObject({ status: 0, stderr: '' })
    rmSync(compiled)
    expect(help()).toEqual(expected)
    const { ino, mtimeMs } = statSync(compiled)
    expect(help()).toEqual(expected)
    expect(statSync(compiled)).toMatchObject({ ino, mtimeMs })
  })

  it('is passed over where it was cut short, or is of another bundle', () => {
    const expected = help()
    truncateSync(compiled, 100_000)
    expect(help()).toEqual(expected)
    cpSync(join(bundle, 'LICENSES.txt'), compiled)
    expect(help()).toEqual(expected)
  })

  it('is another one under options of V8', () => {
    const before = readdirSync(bundle)
    expect(help(['--stack-size=900']).status).toBe(0)
    const added = readdirSync(bundle).filter((file) => !before.includes(file))
    expect(added).toEqual([expect.stringMatching(/^compiled-v[\d.]+-\w+-\d+$/)])
  })

  it('is done without where it cannot be written', () => {
    const expected = help()
    rmSync(compiled)
    mkdirSync(join(compiled, 'a folder in its place'), { recursive: true })
    const before = readdirSync(bundle)
    expect(help()).toEqual(expected)
    expect(readdirSync(bundle)).toEqual(before)
  })
})

it('passes on the licence of every package that it holds code of', () => {
  const licences = readFileSync(join(bundle, 'LICENSES.txt'), 'utf8')
  for (const name of ['kafkajs', 'yargs', 'jiti', 'cli-table3', 'string-width']) {
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, `, 'm'))
  }
  expect(licences).toContain('Permission is hereby granted')
})
