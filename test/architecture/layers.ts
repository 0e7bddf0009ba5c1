/** One folder of `src` (or a file at its top), and what its files may import. Types count as much as values. */
export interface Layer {
  /** The folder under `src`, or the file's name. `adapters/*` stands for each adapter that has no row of its own. */
  readonly name: string
  /** Layers above in the table whose files it may import, beside its own. */
  readonly imports: readonly string[]
  /** Node's own modules that it may import, without `node:`; an edge may import all of them. */
  readonly node?: readonly string[]
  /** True where clock, timers, chance, environment, console and I/O are allowed. */
  readonly edge?: boolean
  /** What the layer is for, and what it must not do: `src/ARCHITECTURE.md` shows both. */
  readonly does: string
  readonly never: string
}

/** The layers from `core` to `scheduler`: all that runs and their schedules need beside the outside. */
export const INNER = [
  'core',
  'wire',
  'serde',
  'topology',
  'dsl',
  'ports',
  'operators',
  'planner',
  'runtime',
  'scheduler',
]

/** Who may import whom. A layer imports only from rows above its own, so there is no way round in a circle. */
export const LAYERS: readonly Layer[] = [
  {
    name: 'core',
    imports: [],
    does: 'the words that all share: errors, bytes, offsets, durations, tokens',
    never: 'know what a store, a log or an operator is',
  },
  {
    name: 'wire',
    imports: ['core'],
    node: ['module', 'zlib'],
    does: 'record batches v2: reading in place, writing, checksums, compression',
    never: 'decode a value, or know where bytes come from',
  },
  {
    name: 'serde',
    imports: ['core'],
    node: ['buffer', 'module'],
    does: 'values to bytes and back',
    never: 'guess a format, or round a number silently',
  },
  {
    name: 'topology',
    imports: ['core', 'serde'],
    does: 'the frozen job: nodes, settings, stores, as data',
    never: 'run anything, or need the builder that made it',
  },
  {
    name: 'dsl',
    imports: ['core', 'serde', 'topology'],
    node: ['crypto', 'module', 'url'],
    does: 'the fluent surface that makes a topology',
    never: 'see the runtime: a job file starts nothing',
  },
  {
    name: 'ports',
    imports: ['core'],
    does: 'what the runtime needs of log, state, lock and clock, as promises',
    never: 'name a product, or carry anything but bytes',
  },
  {
    name: 'operators',
    imports: ['core', 'wire', 'serde', 'topology', 'ports'],
    does: 'the semantics: one step of one task',
    never: 'know where state is kept, or see an adapter',
  },
  {
    name: 'planner',
    imports: ['core', 'wire', 'topology', 'ports'],
    node: ['crypto'],
    does: 'from request, checkpoint and bounds to a plan',
    never: 'change anything',
  },
  {
    name: 'runtime',
    imports: ['core', 'wire', 'serde', 'topology', 'ports', 'operators', 'planner'],
    node: ['crypto'],
    does: 'merge, tasks, slices, commit, recovery, report',
    never: 'name an adapter, print, or look at a clock but the port',
  },
  {
    name: 'scheduler',
    imports: ['core', 'topology', 'ports'],
    does: 'from cron expressions, policies and history to the runs that are due, each a process of its own',
    never: 'process a record, or decide which offsets a run takes',
  },
  {
    name: 'adapters/log-rules',
    imports: ['core', 'wire', 'ports'],
    does: 'what the logs that are kept here share: names, settings, retention, who may commit',
    never: 'hold a record',
  },
  {
    name: 'adapters/state-rules',
    imports: ['core', 'ports'],
    does: 'what the kinds of state share: names, refusals',
    never: 'hold a row',
  },
  {
    name: 'adapters/job-loader',
    imports: ['core', 'topology', 'ports'],
    edge: true,
    does: 'a file in `jobs/` to the job that it exports, with the hash of what it stands on',
    never: 'start what it has loaded',
  },
  {
    name: 'adapters/*',
    imports: ['core', 'wire', 'ports', 'adapters/log-rules', 'adapters/state-rules'],
    edge: true,
    does: 'one outside each: SQLite, memory, the machine',
    never: 'decide semantics, import another adapter, or let a foreign error pass',
  },
  {
    name: 'index.ts',
    imports: ['core', 'serde', 'topology', 'dsl'],
    does: 'the public surface: what a job file imports',
    never: 'load the runtime',
  },
  {
    name: 'compose.ts',
    imports: [...INNER, 'index.ts', 'adapters/*', 'adapters/job-loader'],
    edge: true,
    does: 'the one place that puts adapters into ports',
    never: 'hold logic',
  },
  {
    name: 'cli',
    imports: [...INNER, 'compose.ts'],
    edge: true,
    does: 'arguments in, words and exit status out: one file a command',
    never: 'import an adapter, or decide what a run does',
  },
  {
    name: 'testing',
    imports: [...INNER, 'adapters/*', 'compose.ts'],
    does: 'the test driver for users: the real runtime on memory, with a clock set by hand',
    never: 'import a test framework, or behave unlike a run',
  },
]

/** The one folder that imports each outside dependency. Every dependency of `package.json` has a row. */
export const OUTSIDE: Readonly<Record<string, string>> = {
  '@datadog/sketches-js': 'dsl',
  '@node-rs/crc32': 'wire',
  '@standard-schema/spec': 'serde',
  '@toondepauw/node-zstd': 'wire',
  'better-sqlite3': 'adapters/sqlite',
  'cli-progress': 'cli',
  'cli-table3': 'cli',
  fzstd: 'wire',
  jiti: 'adapters/job-loader',
  kafkajs: 'adapters/kafka',
  'lossless-json': 'serde',
  'lz4-wasm-nodejs': 'wire',
  'node-cron': 'adapters/cron',
  papaparse: 'adapters/files',
  protobufjs: 'dsl',
  snappy: 'wire',
  yargs: 'cli',
}

/** Functions over 60 lines: loops over the bytes of a batch, where a call for each record would show. Only in `wire`. */
export const LONG_FUNCTIONS: readonly { readonly path: string; readonly name: string }[] = []

/** The layer that a file under `src` belongs to, by its path from the root of the repository; undefined for none. */
export function layerOf(path: string): Layer | undefined {
  const folder = folderOf(path)
  const name = folder.startsWith('adapters/') ? 'adapters/*' : folder
  return LAYERS.find((layer) => layer.name === folder) ?? LAYERS.find((layer) => layer.name === name)
}

/** `src/core/bytes.ts` lies in `core`, `src/adapters/sqlite/x.ts` in `adapters/sqlite`, `src/index.ts` in `index.ts`. */
export function folderOf(path: string): string {
  const [, first = '', second] = path.split('/')
  return first === 'adapters' && second !== undefined ? `adapters/${second}` : first
}
