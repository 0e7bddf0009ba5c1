import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '../../src/core/error-codes.ts'
import { COMMIT_STEPS, SWITCH_STEPS } from '../../src/ports/steps.ts'
import { filesBelow, readText } from './repository.ts'
import { decisionViolations, type Page } from './rules/decisions.ts'
import { errorSections } from './rules/error-page.ts'
import { layerTable } from './rules/layer-table.ts'
import { lockfileViolations, machinePathViolations } from './rules/portable.ts'
import { formatViolations } from './violation.ts'

const page = (path: string): Page => ({ path, text: readText(path) })
const messages = (violations: Parameters<typeof formatViolations>[0]) => violations.map(({ message }) => message)

describe('src/errors.md', () => {
  it('has a section for each code, in order, with its exit status, and for nothing else', () => {
    const codes = Object.entries(ERROR_CODES).map(([code, { exit, retryable }]) => ({
      code,
      exit,
      retryable,
      whole: true,
    }))
    expect(errorSections(readText('src/errors.md'))).toEqual(codes)
  })

  it.each([
    ['no status', '## A\n\nMeaning.\n\n**Kept:** all.\n\n**Do:** it.\n', { exit: undefined }],
    [
      'another status',
      '## A\n\nExit status 65.\n\nMeaning.\n\n**Kept:** all.\n\n**Do:** it.\n',
      { exit: 65, whole: true },
    ],
    ['retryable', '## A\n\nExit status 65, retryable.\n\nMeaning.\n', { exit: 65, retryable: true }],
    ['no meaning', '## A\n\nExit status 65.\n\n**Kept:** all.\n\n**Do:** it.\n', { whole: false }],
    ['nothing kept', '## A\n\nExit status 65.\n\nMeaning.\n\n**Do:** it.\n', { whole: false }],
    ['nothing to do', '## A\n\nExit status 65.\n\nMeaning.\n\n**Kept:** all.\n\n**Do:**\n', { whole: false }],
  ])('is read right: %s', (_, text, section) => {
    expect(errorSections(text)).toMatchObject([{ code: 'A', ...section }])
  })
})

describe('src/ARCHITECTURE.md', () => {
  const text = readText('src/ARCHITECTURE.md')

  it('shows the layer table that is enforced', () => {
    expect(text).toContain(layerTable())
  })

  it('shows the steps of a commit and of a switch in order', () => {
    const steps = [...text.matchAll(/^\d+\. `([a-z-]+)`/gm)].map(([, step]) => step)
    expect(steps).toEqual([...COMMIT_STEPS, ...SWITCH_STEPS])
  })

  it('names only folders and files that exist', () => {
    const known = ['src', 'test', 'bin', 'jobs', 'docs'].flatMap((folder) => filesBelow(folder))
    const named = [...text.matchAll(/`((?:src|test|bin|jobs|docs)\/[\w./-]*)`/g)].map(([, path = '']) => path)
    expect(
      named.filter((path) => !known.some((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`))),
    ).toEqual([])
  })
})

describe('src/decisions', () => {
  it('are numbered without doubles, and have context, choice and consequence', () => {
    const pages = filesBelow('src/decisions').map(page)
    expect(pages.length).toBeGreaterThan(0)
    expect(formatViolations(decisionViolations(pages))).toEqual([])
  })

  const text = '# One\n\n## Context\n\n## Choice\n\n## Consequence\n'
  it.each([
    [
      'a number twice',
      [
        { path: 'd/0001-a.md', text },
        { path: 'd/0001-b.md', text },
      ],
      'has a number that is taken: 0001',
    ],
    ['no number', [{ path: 'd/a.md', text }], 'is not named NNNN-title.md'],
    ['no title', [{ path: 'd/0001-a.md', text: text.slice(7) }], 'has no title in its first line'],
    ['more than a page', [{ path: 'd/0001-a.md', text: `${text}${'\n'.repeat(80)}.` }], 'has 88 lines, 80 are a page'],
    [
      'a heading missing',
      [{ path: 'd/0001-a.md', text: text.replace('## Choice\n', '') }],
      'has the headings ## Context, ## Consequence, not ## Context, ## Choice, ## Consequence',
    ],
  ])('may not have %s', (_, pages, message) => {
    expect(messages(decisionViolations(pages))).toEqual([message])
  })
})

describe('what ships', () => {
  it('names no path of a machine', () => {
    const texts = ['src', 'docs', 'bin', 'jobs'].flatMap((folder) => filesBelow(folder)).filter(isText)
    const atTop = ['package.json', 'CHANGELOG.md', '.ci/run']
    expect(formatViolations(machinePathViolations([...texts, ...atTop].map(page)))).toEqual([])
  })

  it.each(['/home/me/x', 'cd "/tmp/x"', 'see /work/x', '(/Users/me)', '`/root/x`'])('may not hold %s', (text) => {
    expect(machinePathViolations([{ path: 'a', text }])).toHaveLength(1)
  })

  it.each(['src/tmp/x', 'a network/x', '../work/x', '"/topics/home/x"'])('may hold %s', (text) => {
    expect(machinePathViolations([{ path: 'a', text }])).toEqual([])
  })

  it('leaves to the reader where packages come from', () => {
    expect(formatViolations(lockfileViolations(page('package-lock.json')))).toEqual([])
    const planted = { path: 'package-lock.json', text: '{\n  "resolved": "https://registry.example/a.tgz",\n}' }
    expect(formatViolations(lockfileViolations(planted))).toEqual([
      'package-lock.json:2 says where to fetch from: "resolved": "https://registry.example/a.tgz"',
    ])
  })
})

function isText(path: string): boolean {
  return /\.(ts|js|mjs|cjs|json|md|sh|html|css|txt)$/.test(path)
}
