import { TidemarkError } from '../../core/errors.ts'

/** What the loader itself asks a module for. */
const ASKED_BY_LOADER = new Set(['__esModule', 'default', 'then', 'toJSON'])

/**
 * What `import … from 'tidemark'` gives in a job file: this very package, wherever the job file lies.
 * A name that it does not export throws JOB_INVALID where it is used, instead of being undefined.
 */
export function publicSurface(surface: object): object {
  return new Proxy(surface, {
    get(target, name, receiver) {
      if (typeof name === 'string' && !(name in target) && !ASKED_BY_LOADER.has(name)) throw notExported(name, target)
      return Reflect.get(target, name, receiver)
    },
  })
}

function notExported(name: string, surface: object): TidemarkError {
  return new TidemarkError('JOB_INVALID', `tidemark exports no '${name}'`, {
    hint: `It exports ${Object.keys(surface).sort().join(', ')}.`,
  })
}
