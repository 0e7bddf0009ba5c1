import { build } from 'rolldown'

// Bundles what the command line loads, so that a start opens a dozen files instead of hundreds. Packages stay outside.
// Rolldown's own command would print every chunk, to everyone who installs.
await build({
  input: { main: 'dist/cli/main.js' },
  platform: 'node',
  external: /^[^./]/,
  output: { dir: 'dist/bundle', format: 'esm', cleanDir: true },
})
