import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkout } from './pages/checkout.ts'
import { codeBlocks } from './pages/code-blocks.ts'
import { dslSurface } from './pages/dsl-surface.ts'
import { kafkaNames } from './pages/kafka-names.ts'
import { ROOT } from './pages/root.ts'
import type { ExampleRun } from './pages/run-examples.ts'

/** A heading of the page with what it names, and the examples below it. */
interface Section {
  readonly names: readonly string[]
  readonly text: string
  readonly examples: readonly string[]
}

const page = readFileSync(join(ROOT, 'docs/dsl.md'), 'utf8')
const blocks = codeBlocks(page)
const examples = blocks.filter(({ language }) => language === 'ts example')
const sections = sectionsOf(page)
/** Every method of the classes of Kafka Streams: `KStream.filter`. */
const KAFKA = Object.entries(
  JSON.parse(readFileSync(join(ROOT, 'test/fixtures/kafka-streams/methods.json'), 'utf8')) as Record<string, string[]>,
).flatMap(([type, names]) => names.map((name) => `${type}.${name}`))

function fileOf(line: number): string {
  return `example-${line}`
}

/** An example that does not hold. */
const WRONG = 'example-wrong'

/** The name that a method of Kafka Streams would have here. */
function nameHere(name: string): string {
  return name
    .replace(/^StreamsBuilder\./, 'JobBuilder.')
    .replace(/^(Time|Session)WindowedCogroupedKStream\./, '$1WindowedCogroup.')
    .replace(/^ProcessingContext\./, 'ProcessorContext.')
}

/** Every section, with the examples' files below it. */
function sectionsOf(markdown: string): readonly Section[] {
  const lines = markdown.split('\n')
  const starts = lines.flatMap((line, at) => (/^### /.test(line) ? [at] : []))
  return starts.map((start) => {
    const next = lines.findIndex((line, at) => at > start && /^##/.test(line))
    const end = next === -1 ? lines.length : next
    const mine = examples.filter(({ line }) => line > start && line <= end)
    return {
      names: [...(lines[start] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
      text: mine.map(({ text }) => text).join('\n'),
      examples: mine.map(({ line }) => fileOf(line)),
    }
  })
}

describe('docs/dsl.md', () => {
  const copy = checkout()
  const { methods, functions, processors } = dslSurface()
  const runs = new Map<string, ExampleRun>()
  const sectionsAbout = (name: string) => sections.filter(({ names }) => names.includes(name))

  beforeAll(() => {
    const preamble = blocks.find(({ language }) => language === 'ts preamble')?.text ?? ''
    for (const { line, text } of examples) copy.write(`jobs/${fileOf(line)}.ts`, `${preamble}\n${text}\n`)
    copy.write(
      `jobs/${WRONG}.ts`,
      `${preamble}\nawait example(({ stream }) => stream(amounts).to(out), [put(amounts, 'a', 1)], [])\n`,
    )
    copy.write('jobs/run-examples.ts', readFileSync(join(ROOT, 'test/e2e/pages/run-examples.ts'), 'utf8'))
    copy.write('tsconfig.json', JSON.stringify({ compilerOptions: COMPILED, include: ['jobs/*.ts'] }))
    copy.sh('node node_modules/typescript/bin/tsc')
    const printed = JSON.parse(copy.sh('node compiled/run-examples.js dist compiled/example-*.js')) as ExampleRun[]
    for (const run of printed) runs.set(run.file.replace(/^.*\/(.*)\.js$/, '$1'), run)
  }, 120_000)

  it('reads the surface off the source', () => {
    expect(methods).toEqual(expect.arrayContaining(['KStream.filter', 'KTable.suppress', 'JobBuilder.globalTable']))
    expect(methods.filter((name) => /#|constructor/.test(name))).toEqual([])
    expect(functions).toEqual(expect.arrayContaining(['tumbling', 'job', 'approxQuantiles', 'TidemarkError']))
    expect(processors).toEqual(expect.arrayContaining(['ProcessorContext.schedule', 'KeyValueStore.putIfAbsent']))
  })

  it.each(methods)('has a heading for %s, with an example that calls it', (method) => {
    const about = sectionsAbout(method)
    expect(about.length).toBeGreaterThan(0)
    for (const { examples, text } of about) {
      const called = examples.flatMap((file) => runs.get(file)?.called ?? [])
      if (method.startsWith('JobBuilder.')) expect(text).toMatch(callOf(method.slice('JobBuilder.'.length)))
      else expect(called).toContain(method)
    }
  })

  it.each(functions)('has a heading for %s, with an example that uses it', (name) => {
    const about = sectionsAbout(name)
    expect(about.length).toBeGreaterThan(0)
    for (const { text } of about) expect(text).toMatch(name === 'TidemarkError' ? /TidemarkError/ : callOf(name))
  })

  it.each(processors)('has an example of %s', (member) => {
    const word = new RegExp(`\\b${member.split('.')[1]}\\b`)
    expect(sections.some(({ text }) => word.test(text))).toBe(true)
  })

  it.each(examples)('has an example that holds, with the test driver: line $line', ({ line }) => {
    const run = runs.get(fileOf(line))
    expect(run?.failure).toBeNull()
    expect(run?.driven).toBeGreaterThan(0)
    expect(run?.compared).toBeGreaterThan(0)
  })

  it('finds an example whose result is another than the page says', () => {
    expect(runs.get(WRONG)?.failure).toMatch(/Expected values to be strictly deep-equal/)
  })

  it("names every method of Kafka Streams' classes once, and nothing else", () => {
    const named = kafkaNames(page).flatMap(({ names }) => names)
    expect([...named].sort()).toEqual([...KAFKA].sort())
  })

  it.each(kafkaNames(page))('says what became of $names', ({ names, verdict, why }) => {
    expect(['same', 'different', 'absent']).toContain(verdict)
    for (const name of names) {
      const ours = nameHere(name)
      if (verdict === 'same') expect(methods).toContain(ours)
      if (verdict === 'absent') expect([...methods, ...processors]).not.toContain(ours)
    }
    if (verdict === 'different') expect(why).toMatch(/\]\(#[^)]+\)/)
    if (verdict === 'absent') expect(why).not.toBe('')
  })

  it('has a heading for nothing that is not there', () => {
    const known = [...methods, ...functions, 'ProcessorContext']
    expect(sections.flatMap(({ names }) => names).filter((name) => !known.includes(name))).toEqual([])
  })

  it('links to its own headings', () => {
    const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor)
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([])
  })
})

/** A call of a function that is not a method. */
function callOf(name: string): RegExp {
  return new RegExp(`(?<![.\\w])${name}(<[^(]*>)?\\(`)
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}

const COMPILED = {
  ...JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8')).compilerOptions,
  noEmit: false,
  rootDir: 'jobs',
  outDir: 'compiled',
  // Only what the package exports is to be had.
  paths: {},
  // Examples share one list of imports.
  noUnusedLocals: false,
}
