import { describe, expect, it } from 'vitest'
import { folderOf, LAYERS, LONG_FUNCTIONS, layerOf, OUTSIDE } from './layers.ts'
import { filesBelow, readText, sourcesBelow } from './repository.ts'
import { conceptViolations } from './rules/concepts.ts'
import { cycleViolations } from './rules/cycles.ts'
import { globalViolations } from './rules/globals.ts'
import { layerViolations, packageOf } from './rules/layers.ts'
import { fileSizeViolations, functionSizeViolations, longFunctions, MEDIAN_FILE_LINES, median } from './rules/sizes.ts'
import { formatViolations, type Violation } from './violation.ts'

const sources = sourcesBelow('src')
const others = ['bin', 'jobs', 'test'].flatMap(sourcesBelow)
const found = (violations: readonly Violation[]) => formatViolations(violations)

describe('the layer table', () => {
  it('lets a layer import only from rows above its own', () => {
    const names = LAYERS.map(({ name }) => name)
    for (const [row, { name, imports }] of LAYERS.entries()) {
      expect(names.slice(0, row), name).toEqual(expect.arrayContaining([...imports]))
    }
    expect(new Set(names).size).toBe(names.length)
  })

  it('has a row for every file of src, and files for every row', () => {
    expect(filesBelow('src', '.ts').filter((path) => layerOf(path) === undefined)).toEqual([])
    const used = new Set(sources.map(({ path }) => layerOf(path)?.name))
    expect(LAYERS.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  })

  it('has a row for every dependency, and each is imported', () => {
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> }
    expect(Object.keys(OUTSIDE).sort()).toEqual(Object.keys(dependencies).sort())
    const imported = sources.flatMap(({ path, imports }) =>
      imports.map(({ specifier }) => `${packageOf(specifier)} from ${folderOf(path)}`),
    )
    const promised = Object.entries(OUTSIDE).map(([name, folder]) => `${name} from ${folder}`)
    expect(promised.filter((row) => !imported.includes(row))).toEqual([])
  })
})

describe('src', () => {
  it('keeps to the layer table', () => expect(found(layerViolations(sources))).toEqual([]))
  it('imports nothing in a circle', () => expect(found(cycleViolations(sources))).toEqual([]))
  it('uses nothing of the machine outside the edges', () => expect(found(globalViolations(sources))).toEqual([]))
  it('has functions of 60 lines at most', () => expect(found(functionSizeViolations(sources))).toEqual([]))
  it('has one concept a file', () => expect(found(conceptViolations(sources))).toEqual([]))

  it('has small files', () => {
    expect(found(fileSizeViolations(sources))).toEqual([])
    expect(median(sources.map(({ lines }) => lines))).toBeLessThan(MEDIAN_FILE_LINES)
  })

  it('lists no long function that is not one, and none outside wire', () => {
    const long = sources.flatMap(longFunctions).map(({ path, name }) => ({ path, name }))
    expect(long).toEqual(expect.arrayContaining([...LONG_FUNCTIONS]))
    expect(LONG_FUNCTIONS.filter(({ path }) => !path.startsWith('src/wire/'))).toEqual([])
  })
})

describe('bin, jobs and test', () => {
  it('have small files too', () => expect(found(fileSizeViolations(others))).toEqual([]))

  it('are reached by job files only through the public surface', () => {
    const imports = sourcesBelow('jobs').flatMap((file) => file.imports.map((each) => ({ path: file.path, ...each })))
    const beyond = imports.filter(({ specifier, target }) => specifier !== 'tidemark' && !target?.startsWith('jobs/'))
    expect(beyond.map(({ path, specifier }) => `${path} imports ${specifier}`)).toEqual([])
  })
})
