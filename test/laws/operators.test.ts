import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import * as tidemark from 'tidemark'
import { type JobBuilder, job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { NODE_KINDS } from '../../src/operators/registry.ts'
import { vectorIds } from '../conformance/vectors.ts'
import { SUBJECTS } from './support/subjects.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

type Methods = Record<string, unknown>

/** What makes no step of a topology. */
const NO_OPERATORS = ['TidemarkError']

/** The classes of the fluent surface, by name. */
async function dslClasses(): Promise<readonly (readonly [name: string, methods: Methods])[]> {
  const classes = new Map<string, Methods>()
  for (const file of readdirSync(here('../../src/dsl')).filter((name) => name.endsWith('.ts'))) {
    const module: Methods = await import(here(`../../src/dsl/${file}`))
    for (const [name, exported] of Object.entries(module)) {
      if (typeof exported === 'function' && exported.prototype !== undefined && /^[A-Z]/.test(name)) {
        classes.set(name, exported.prototype)
      }
    }
  }
  classes.delete('JobDraft') // what the surface builds with
  return [...classes]
}

const methodsOf = (methods: Methods): readonly string[] =>
  Object.getOwnPropertyNames(methods).filter(
    (name) => name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(methods, name)?.value === 'function',
  )

/** Notes in `called` every call of these methods, and lets it through. Gives back what ends it. */
function watch(className: string, methods: Methods, called: Set<string>): () => void {
  const before = methodsOf(methods).map((name) => [name, methods[name]] as const)
  for (const [name, method] of before) {
    methods[name] = function (this: unknown, ...given: unknown[]): unknown {
      called.add(`${className}.${name}`)
      return (method as (...given: unknown[]) => unknown).apply(this, given)
    }
  }
  return () => Object.assign(methods, Object.fromEntries(before))
}

/** Builds every topology whose laws are tried; gives the methods that were called, and the nodes that they made. */
function built(classes: Awaited<ReturnType<typeof dslClasses>>) {
  const called = new Set<string>()
  const names = new Set<string>()
  const nodes: { readonly kind: string }[] = []
  const ends = classes.map(([name, methods]) => watch(name, methods, called))
  try {
    for (const { pieces } of SUBJECTS) {
      const [piece] = fc.sample(pieces, { seed: 1, numRuns: 1 })
      const { topology } = job('law', {}, (builder) => {
        const watched = Object.assign({}, builder)
        for (const name of methodsOf({ ...watched })) names.add(`JobBuilder.${name}`)
        watch('JobBuilder', watched as unknown as Methods, called)
        piece?.build(watched as JobBuilder)
      })
      nodes.push(...topology.nodes)
    }
  } finally {
    for (const end of ends) end()
  }
  return { called, names: [...names], nodes }
}

/** What the files that build the topologies import of the public surface. */
function imported(): ReadonlySet<string> {
  const names = new Set<string>()
  for (const folder of ['./support', '../conformance/topologies']) {
    for (const file of readdirSync(here(folder))) {
      const text = readFileSync(here(`${folder}/${file}`), 'utf8')
      for (const [, list = ''] of text.matchAll(/import \{([^}]*)\} from 'tidemark'/g)) {
        for (const name of list.split(',')) names.add(name.trim())
      }
    }
  }
  return names
}

describe.runIf(vectorIds() !== undefined)('laws 1, 2 and 4 are tried', async () => {
  const classes = await dslClasses()
  const { called, names, nodes } = built(classes)

  it('of every method of the fluent surface', () => {
    const all = [...names, ...classes.flatMap(([name, methods]) => methodsOf(methods).map((each) => `${name}.${each}`))]
    expect(all.length).toBeGreaterThan(50)
    expect(all.filter((name) => !called.has(name))).toEqual([])
  })

  it('of every function that makes an aggregate, windows, a store or a serde', () => {
    const functions = Object.entries(tidemark).filter(([, exported]) => typeof exported === 'function')
    const names = functions.map(([name]) => name).filter((name) => !NO_OPERATORS.includes(name))
    expect(names.length).toBeGreaterThan(30)
    const used = imported()
    expect(names.filter((name) => !used.has(name))).toEqual([])
  })

  it('of every kind of step', () => {
    const kinds = new Set(nodes.map(({ kind }) => kind))
    expect(NODE_KINDS.filter((kind) => !kinds.has(kind))).toEqual([])
  })
})
