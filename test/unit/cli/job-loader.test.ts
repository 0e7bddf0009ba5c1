import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jobNames } from '../../../src/adapters/job-loader/job-path.ts'
import { loadJob } from '../../../src/compose.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()
const stateDir = join(folder.path, 'state')

const JOB = `import { job, string, topic } from 'tidemark'
interface Unused { readonly a: number }

export default job('NAME', {}, ({ stream }) => {
  stream(topic('in', { key: string(), value: string() })).to(topic('out', { key: string(), value: string() }))
})
`

/** Each file has a name of its own: what was loaded once in a process stays. */
let files = 0
async function load(text: string, extension = 'ts') {
  files++
  const path = await folder.file(`loose/job${files}.${extension}`, text)
  return await loadJob(path, join(folder.path, 'jobs'), stateDir)
}

describe('a job file', () => {
  it('is found by name or path, and imports this package wherever it lies', async () => {
    await folder.file('jobs/by-name.ts', JOB.replace('NAME', 'by-name'))
    const byName = await loadJob('by-name', join(folder.path, 'jobs'), stateDir)
    expect(byName.job).toMatchObject({ kind: 'tidemark-job', name: 'by-name' })
    expect(byName.path).toBe(join(folder.path, 'jobs/by-name.ts'))
    expect(byName.job.topology.nodes[0]?.where).toEqual({ file: byName.path, line: 5 })
    const byPath = await loadJob(byName.path, 'nowhere', stateDir)
    expect(byPath.hash).toBe(byName.hash)
    expect(readdirSync(join(stateDir, 'cache/jobs'))).not.toEqual([])
  })

  it.each(['mts', 'js', 'mjs'])('may be .%s', async (extension) => {
    const text = extension === 'mts' ? JOB : JOB.replace(/interface.*\n/, '\n')
    expect((await load(text, extension)).job.name).toBe('NAME')
  })

  it('may be CommonJS', async () => {
    const text = JOB.replace(/interface.*\n/, '\n')
      .replace(/import (.*) from 'tidemark'/, "const $1 = require('tidemark')")
      .replace('export default', 'module.exports =')
    expect((await load(text, 'cjs')).job.name).toBe('NAME')
  })

  it('has a hash that covers what it imports from its folder, and not where the folder lies', async () => {
    const text = JOB.replace("'NAME'", 'NAME')
    const write = async (project: string, name: string) => {
      await folder.file(
        `${project}/lib/name.ts`,
        `import { rest } from './rest'\nexport const NAME: string = 'n' + rest`,
      )
      await folder.file(`${project}/lib/rest.ts`, `export const rest = '${name}'`)
      const path = await folder.file(`${project}/job.ts`, `import { NAME } from './lib/name.ts'\n${text}`)
      return await loadJob(path, 'jobs', stateDir)
    }
    const [one, same, other] = [await write('one', 'x'), await write('same', 'x'), await write('other', 'y')]
    expect([one.job.name, same.job.name, other.job.name]).toEqual(['nx', 'nx', 'ny'])
    expect(one.hash).toBe(same.hash)
    expect(one.hash).not.toBe(other.hash)
  })
})

describe('a mistake in a job file is JOB_INVALID with its line:', () => {
  it.each([
    ['a syntax error', 'const a = 1\nconst b = { c: 1,, }\nexport default a\n', ':2: unexpected token'],
    [
      'an error when it is loaded',
      'const a: number = 1\n\nthrow new Error("bang")\n',
      ':3: the job file throws while it is loaded: bang',
    ],
    [
      'a name that is not there',
      '\nnope()\nexport default 1\n',
      ':2: the job file throws while it is loaded: ReferenceError: nope is not defined',
    ],
    ['a file that is not there', "import './nowhere.ts'\nexport default 1\n", ":1: cannot import './nowhere.ts'"],
    [
      'a package that is not there',
      "\nimport x from 'no-such-package-here'\nexport default x\n",
      ":2: cannot import 'no-such-package-here'",
    ],
    [
      'a name that tidemark has not',
      "import { jobb } from 'tidemark'\nexport default jobb('x')\n",
      ":2: tidemark exports no 'jobb'",
    ],
    ['no default export', 'export const a = 1\n', ': it has no default export'],
    ['another default export', 'export default { kind: "job" }\n', ': its default export is of type object'],
    ['a function as default export', 'export default () => 1\n', ': its default export is a function'],
    ['a promise as default export', 'export default Promise.resolve(1)\n', ': its default export is a promise'],
    [
      'a job that is not the default',
      JOB.replace('default', 'const x ='),
      ": it exports a job as 'x', not as its default",
    ],
    ['a mistake in the job', JOB.replace('NAME', 'a/b'), ':4: a job cannot be called "a/b"'],
  ])('%s', async (_, text, message) => {
    await expect(load(text)).rejects.toMatchObject({
      code: 'JOB_INVALID',
      message: expect.stringContaining(`loose/job${files}.ts${message}`),
      hint: expect.stringMatching(/./),
    })
  })

  it('in a file that it imports', async () => {
    await folder.file('loose/shared/broken.ts', 'export const a = 1\nlet x = = 2\n')
    await expect(load("import './shared/broken'\nexport default 1\n")).rejects.toMatchObject({
      code: 'JOB_INVALID',
      message: expect.stringContaining('shared/broken.ts:2: unexpected token'),
    })
  })
})

describe('a job file that is not there', () => {
  it('is JOB_INVALID with the names that are', async () => {
    await folder.file('listed/b.ts', '')
    await folder.file('listed/a.js', '')
    await folder.file('listed/types.d.ts', '')
    await folder.file('listed/shared/c.ts', '')
    const jobs = join(folder.path, 'listed')
    expect(jobNames(jobs)).toEqual(['a', 'b'])
    expect(jobNames(join(folder.path, 'no-folder'))).toEqual([])
    for (const name of ['c', 'listed/c.ts']) {
      await expect(loadJob(name, jobs, stateDir)).rejects.toMatchObject({
        code: 'JOB_INVALID',
        hint: expect.stringContaining('a, b'),
      })
    }
  })

  it('is not chosen among two', async () => {
    await folder.file('two/a.ts', '')
    await folder.file('two/a.js', '')
    await expect(loadJob('a', join(folder.path, 'two'), stateDir)).rejects.toMatchObject({
      code: 'JOB_INVALID',
      message: expect.stringContaining('ambiguous'),
    })
  })
})
