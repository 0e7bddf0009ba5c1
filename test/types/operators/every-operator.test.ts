import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { dslSurface } from '../../e2e/pages/dsl-surface.ts'

const FILES = ['streams', 'tables', 'windows']

/** The tests of these files: what each is named, and its lines. */
function tests(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const file of FILES) {
    const text = readFileSync(fileURLToPath(new URL(`./${file}.test.ts`, import.meta.url)), 'utf8')
    for (const [, name = '', body = ''] of text.matchAll(/^it\('(.*?)', ([\s\S]*?)^\}\)\)$/gm)) found.set(name, body)
  }
  return found
}

const all = tests()

it.each(dslSurface().methods)('what %s infers is held, and a mistake with it is refused', (method) => {
  const body = all.get(method) ?? ''
  expect(body).toContain('expectType<')
  expect(body).toContain('// @ts-expect-error ')
})

it('names a step of every operator that keeps something', () => {
  const stateful = /\.(count|reduce|aggregate|transformValues|suppress|toTable|repartition|process|processValues)$/
  for (const method of dslSurface().methods.filter((each) => stateful.test(each))) {
    expect(`${method}: ${all.get(method)}`).toContain('// @ts-expect-error no name')
  }
})
