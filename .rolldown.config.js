/** Bundles what the command line loads, so that a start opens a dozen files instead of hundreds. Packages stay outside. */
export default {
  input: { main: 'dist/cli/main.js' },
  platform: 'node',
  external: /^[^./]/,
  output: { dir: 'dist/bundle', format: 'esm', cleanDir: true },
}
