import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, parse, resolve } from 'node:path'
import { TidemarkError } from '../../core/errors.ts'

/** What a job file may be called, in the order in which they are looked for. */
const EXTENSIONS = ['.ts', '.mts', '.js', '.mjs', '.cts', '.cjs']

/**
 * The absolute path of a job file: of a file where `nameOrPath` has a slash or the extension of a job file, else of that
 * name in the folder `jobs`. Throws JOB_INVALID, with the names that there are, where there is no such file.
 */
export function jobPath(nameOrPath: string, jobs: string): string {
  if (isPath(nameOrPath)) {
    if (isFile(nameOrPath)) return resolve(nameOrPath)
    throw new TidemarkError('JOB_INVALID', `there is no job file ${nameOrPath}`, { hint: whatThereIs(jobs) })
  }
  const found = EXTENSIONS.map((extension) => join(jobs, nameOrPath + extension)).filter(isFile)
  const [path] = found
  if (path === undefined) {
    throw new TidemarkError('JOB_INVALID', `there is no job ${nameOrPath} in ${jobs}`, { hint: whatThereIs(jobs) })
  }
  if (found.length > 1) {
    throw new TidemarkError('JOB_INVALID', `${nameOrPath} is ambiguous: ${found.join(' and ')}`, {
      hint: 'Name the file, or remove one of them.',
    })
  }
  return resolve(path)
}

/** Names of the job files in a folder, sorted; none where there is no such folder. */
export function jobNames(jobs: string): readonly string[] {
  if (!existsSync(jobs)) return []
  const files = readdirSync(jobs, { withFileTypes: true }).filter((entry) => !entry.isDirectory())
  const names = files.map(({ name }) => parse(name)).filter(({ ext, name }) => isJobFile(ext) && !name.endsWith('.d'))
  return [...new Set(names.map(({ name }) => name))].sort()
}

function isPath(nameOrPath: string): boolean {
  return /[/\\]/.test(nameOrPath) || isJobFile(parse(nameOrPath).ext)
}

function isJobFile(extension: string): boolean {
  return EXTENSIONS.includes(extension)
}

/** True where there is a file of this path. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function whatThereIs(jobs: string): string {
  const names = jobNames(jobs)
  return names.length === 0
    ? `Give the path of a job file, or put it into ${jobs}: there are none yet.`
    : `Jobs in ${jobs}: ${names.join(', ')}. Or give the path of a file.`
}
