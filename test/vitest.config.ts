import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Where to write the results as JSON too; `.ci/run` reads them. */
const report = process.env.TIDEMARK_TEST_REPORT

export default defineConfig({
  root: here('..'),
  resolve: {
    alias: [
      { find: /^tidemark$/, replacement: here('../src/index.ts') },
      { find: /^tidemark\/testing$/, replacement: here('../src/testing/index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: [here('./e2e/helpers/build.ts'), here('./kafka/global-setup.ts')],
    // A hang is to end; a slow machine is not to fail.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    // Modules keep no state between tests, so files may share a process.
    isolate: false,
    maxWorkers: '100%',
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
})
