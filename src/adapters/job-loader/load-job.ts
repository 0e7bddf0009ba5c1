import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { TidemarkError } from '../../core/errors.ts'
import type { Job } from '../../topology/job.ts'
import { jobPath } from './job-path.ts'
import { loadError, shownPath } from './load-error.ts'
import { hashOfFiles, withLocalImports } from './local-imports.ts'
import { publicSurface } from './public-surface.ts'

// An import would first have the whole library searched for the names that it exports, which takes longer than loading it.
const require = createRequire(import.meta.url)
const { createJiti } = require('jiti') as typeof import('jiti')

/** A job with where it came from. */
export interface LoadedJobFile {
  readonly job: Job
  /** Absolute. */
  readonly path: string
  /**
   * SHA-256 in hex over the job file and what it imports by relative paths, directly or through others; not over
   * packages, nor over what is imported by a computed name or read while it runs.
   */
  readonly hash: string
}

/**
 * Loads the job that `nameOrPath` names: a file, or a name in the folder `jobs`. TypeScript and JavaScript are loaded as
 * they are, and import `surface` as 'tidemark'; what was made of them is kept in `cacheDir`, by path and content. Every mistake is JOB_INVALID with file,
 * line and what to do.
 */
export async function loadJob(
  nameOrPath: string,
  jobs: string,
  cacheDir: string,
  surface: object,
): Promise<LoadedJobFile> {
  const path = jobPath(nameOrPath, jobs)
  const jiti = createJiti(path, {
    fsCache: join(cacheDir, 'jobs'),
    interopDefault: false,
    virtualModules: { tidemark: publicSurface(surface) },
  })
  const files = withLocalImports(path, (specifier, from) => {
    const url = jiti.esmResolve(specifier, { parentURL: pathToFileURL(from), try: true })
    return url?.startsWith('file:') === true ? fileURLToPath(url) : undefined
  })
  const hash = hashOfFiles(path, files)
  let module: unknown
  try {
    module = await jiti.import(path)
    await setImmediate() // what the file has rejected and nobody awaits is told before anything is done with the job
  } catch (error) {
    throw loadError(error, path, files)
  }
  return { job: jobOf(module, path), path, hash }
}

function jobOf(module: unknown, path: string): Job {
  // What CommonJS gives to `module.exports` may come as it is.
  if (isJob(module)) return module
  const exported = exportsOf(module)
  if (isJob(exported.default)) return exported.default
  const invalid = (problem: string, hint: string) =>
    new TidemarkError('JOB_INVALID', `${shownPath(path)}: ${problem}`, { hint })
  const named = Object.keys(exported).find((name) => isJob(exported[name]))
  if (named !== undefined)
    throw invalid(`it exports a job as '${named}', not as its default`, 'Write: export default job(...)')
  if (!('default' in exported)) throw invalid('it has no default export', 'Write: export default job(...)')
  const found = exported.default
  if (found instanceof Promise)
    throw invalid('its default export is a promise, not a job', 'Await it before it is exported.')
  if (typeof found === 'function') {
    throw invalid('its default export is a function, not a job', "Export what job('name', ...) returns.")
  }
  const what = found === null ? 'null' : `of type ${typeof found}`
  throw invalid(`its default export is ${what}, not a job`, "Export what job('name', ...) returns.")
}

function exportsOf(module: unknown): Readonly<Record<string, unknown>> {
  return typeof module === 'object' && module !== null ? { ...module } : {}
}

function isJob(value: unknown): value is Job {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'tidemark-job'
}
