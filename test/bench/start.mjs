import { register } from 'node:module'

// Compiled as for a release, but for the types: what makes each import a call would be measured too.
register('./load-typescript.mjs', import.meta.url)
await import('./bench.ts')
