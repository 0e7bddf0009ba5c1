import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { VERBS } from '../../src/cli/verbs.ts'
import { NOT_YET_KNOWN } from '../conformance/not-yet-known.ts'
import { checkout } from './pages/checkout.ts'
import { type CodeBlock, codeBlocks } from './pages/code-blocks.ts'
import { ROOT } from './pages/root.ts'

const INSTALL = 'npm ci && '
const TESTS = 'npm test'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8' }).map((name) => `docs/${name}`)]
const blocksOf = (page: string, language: string) =>
  codeBlocks(read(page)).filter((block) => block.language === language)

/** What of a block is run here: the project is installed already, and these are its tests. */
const runnable = ({ text }: CodeBlock) => (text === TESTS ? 'true' : text.replace(INSTALL, ''))

describe.each(PAGES)('%s', (page) => {
  const copy = checkout()

  it.each(blocksOf(page, 'sh'))('has commands that run: line $line', { timeout: 120_000 }, (block) => {
    expect(copy.sh(runnable(block))).not.toContain('unknown')
  })

  it('has code that compiles under the strictest rules, and runs', { timeout: 120_000 }, () => {
    const blocks = blocksOf(page, 'ts')
    for (const { line, text } of blocks) copy.write(`jobs/line-${line}.ts`, text)
    copy.write('tsconfig.json', JSON.stringify({ compilerOptions: STRICT, include: ['jobs/*.ts'] }))
    if (blocks.length > 0) copy.sh('node node_modules/typescript/bin/tsc')
    for (const { line } of blocks) expect(copy.sh(`node compiled/line-${line}.js`)).toBe('')
  })

  it('links to what is there', () => {
    const links = [...read(page).matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, to = '']) => to)
    const dead = links.filter((to) => !/^https?:/.test(to) && !existsSync(join(ROOT, dirname(page), to)))
    expect(dead).toEqual([])
  })
})

const STRICT = {
  ...JSON.parse(read('tsconfig.json')).compilerOptions,
  noEmit: false,
  rootDir: 'jobs',
  outDir: 'compiled',
  // Only what the package exports is to be had.
  paths: {},
}

describe('the first command of the README', () => {
  const copy = checkout()
  const [first, second] = blocksOf('README.md', 'sh')
  let printed = ''

  beforeAll(() => {
    printed = copy.sh(runnable(first as CodeBlock))
  }, 120_000)

  it('is one line that installs, and the second passes the tests', () => {
    expect(first?.text).toMatch(/^npm ci && [^\n]+$/)
    expect(second?.text).toBe(TESTS)
  })

  it('tells what the run did, in words and a table, and shows the result', () => {
    expect(printed).toContain('Imported 27,004 rows')
    expect(printed).toMatch(/carrier-delays \(g1\) read 27,020 records in 1 slice/)
    expect(printed).toMatch(/flights +3 +0 +11,549 +11,549/)
    expect(printed).toContain('late: 285 records (at hourly-delay)')
    expect(printed).toMatch(/\{"carrier":"JetBlue Airways","from":\d+,"mean":-?[\d.]+\}\n$/)
  })

  it('doubles nothing when it is repeated', { timeout: 120_000 }, () => {
    const topics = copy.sh('bin/tidemark.js log list --json')
    const again = copy.sh(runnable(first as CodeBlock))
    expect(again).toContain('flights has had 27,004 records already: nothing was imported.')
    expect(again).toContain('carrier-delays (g1): nothing to do')
    expect(again.slice(-500)).toBe(printed.slice(-500))
    expect(copy.sh('bin/tidemark.js log list --json')).toBe(topics)
  })

  it('leaves no result without a name', () => {
    const results = copy.sh('bin/tidemark.js log export carrier-delays')
    expect(results.split('\n')).toHaveLength(26_199)
    expect(results).not.toContain('unknown')
  })

  it('is made of the commands that the README then explains', () => {
    const { demo } = JSON.parse(read('package.json')).scripts as { demo: string }
    const explained = blocksOf('README.md', 'sh')[2]?.text.split('\n')
    expect(demo.replaceAll('node bin/', 'bin/').split(' && ')).toEqual(explained)
  })
})

describe('the README', () => {
  it('shows the job as it is', () => {
    expect(`${blocksOf('README.md', 'ts')[0]?.text}\n`).toBe(read('jobs/carrier-delays.ts'))
  })

  it('has the exit statuses of the page of errors', () => {
    expect(statuses('README.md')).toEqual(statuses('src/errors.md'))
  })

  it('calls a command or a step not built only while that is so', () => {
    const [, text = ''] = read('README.md').split('\n## Not yet\n')
    const [section = ''] = text.split('\n## ')
    const named = [...section.matchAll(/`([a-z]+)`/g)].map(([, name]) => name)
    expect(named).toContain('init')
    const built = VERBS.map(({ usage }) => usage.split(' ')[0])
    expect(named.filter((name) => built.includes(name))).toEqual([])
    expect(section.includes('topologies not yet known')).toBe(NOT_YET_KNOWN.length > 0)
  })
})

/** The first column of the table of exit statuses. */
function statuses(page: string): readonly string[] {
  const [, table = ''] = read(page).split(/^\| status \|.*$/m)
  return [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([\d, ]+) \|/gm)].map(([, status = '']) => status)
}
