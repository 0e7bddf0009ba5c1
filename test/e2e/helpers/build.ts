import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Brings `dist` up to date for the tests that run the real binary. Throws when there is none and it cannot be built. */
export function setup(): void {
  if (!binaryIsTested(process.argv)) return
  const compiled = node('node_modules/typescript/bin/tsc', '-p', 'src')
  const bundled = node('.bundle.js')
  if (compiled.status === 0 && bundled.status === 0) return
  const output = [compiled, bundled].map(({ stdout, stderr }) => `${stdout}${stderr}`).join('')
  if (bundled.status !== 0 || !existsSync(`${root}/dist/bundle/main.cjs`))
    throw new Error(`the build failed\n${output}`)
  // The compiler writes in spite of type errors; `npm run check` is what refuses them.
  process.stderr.write(`dist was built with errors\n${output}`)
}

function node(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
}

/** Where tests run the binary. */
const RUN_IT = ['test/e2e', 'test/kafka', 'test/regression']

/** False where only files are asked for that need no build. */
function binaryIsTested(argv: readonly string[]): boolean {
  const asked = argv.filter((word) => word.startsWith('test/') && !word.endsWith('.config.ts'))
  const uses = (path: string) => RUN_IT.some((folder) => path.startsWith(folder) || folder.startsWith(path))
  return asked.length === 0 || asked.some(uses)
}
