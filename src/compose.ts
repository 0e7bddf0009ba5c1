import { join } from 'node:path'
import { durationMs } from './core/duration.ts'
import { TidemarkError } from './core/errors.ts'
import type { Log } from './ports/log.ts'
import type { StateDirectory } from './ports/state-file.ts'
import type { Environment } from './runtime/environment.ts'
import type { LoadedJob } from './runtime/loaded-job.ts'
import type { SchedulerEnvironment } from './scheduler/scheduler-environment.ts'

/** Where the log and the state are. */
export interface Places {
  readonly log: string
  readonly stateDir: string
}

/** Everything that runs need. Whoever opens it closes its log. */
export async function openEnvironment(places: Places): Promise<Environment> {
  const [log, state, { SqliteLocks }, { systemClock }, { systemIds }, steps] = await Promise.all([
    openLog(places.log),
    openState(places),
    import('./adapters/sqlite/locks.ts'),
    import('./adapters/system/clock.ts'),
    import('./adapters/system/ids.ts'),
    openSteps(),
  ])
  const locks = new SqliteLocks(places.stateDir)
  return { log, state, locks, clock: systemClock, ids: systemIds, steps, ...lease() }
}

/**
 * How long a lease keeps other machines out, and a transaction on Kafka may last, 5m by default; `TIDEMARK_LEASE` sets it.
 * Throws USAGE for what is no span of time.
 */
function lease(): { readonly leaseMs?: number } {
  const given = process.env.TIDEMARK_LEASE
  return given ? { leaseMs: durationMs(given, 'TIDEMARK_LEASE') } : {}
}

/** Everything that schedules need. `command` is how this program is called: node, its options and the binary. */
export async function openSchedules(
  places: Places & { readonly jobs: string },
  command: readonly [string, ...string[]],
): Promise<SchedulerEnvironment> {
  const [state, { SqliteLocks }, { systemClock }, { cronAlarms }, { ChildRuns }, { processHooks }] = await Promise.all([
    openState(places),
    import('./adapters/sqlite/locks.ts'),
    import('./adapters/system/clock.ts'),
    import('./adapters/cron/cron-alarms.ts'),
    import('./adapters/processes/child-runs.ts'),
    import('./adapters/processes/process-hooks.ts'),
  ])
  // By way of the environment: an address may hold a password, and arguments are there for all to see.
  const { log, stateDir, jobs } = places
  const launcher = new ChildRuns(command, {
    ...process.env,
    TIDEMARK_LOG: log,
    TIDEMARK_STATE_DIR: stateDir,
    TIDEMARK_JOBS: jobs,
  })
  const locks = new SqliteLocks(places.stateDir)
  return { clock: systemClock, alarms: cronAlarms, launcher, hooks: processHooks, state, locks }
}

/** Names of the job files in a folder, sorted. */
export async function jobsIn(folder: string): Promise<readonly string[]> {
  const { jobNames } = await import('./adapters/job-loader/job-path.ts')
  return jobNames(folder)
}

/** Throws JOB_INVALID for a cron expression that the library which wakes us would not take. */
export async function checkSchedule(expression: string): Promise<void> {
  const { checkSchedule: check } = await import('./adapters/cron/check-schedule.ts')
  check(expression)
}

/** The state of all jobs. */
export async function openState({ stateDir }: Pick<Places, 'stateDir'>): Promise<StateDirectory> {
  const { SqliteStateDirectory } = await import('./adapters/sqlite/state/state-directory.ts')
  return new SqliteStateDirectory(stateDir, busyTimeout())
}

/** Commit steps are watched where `TIDEMARK_STEP_FILE` names a file to write them to: for crash tests. */
async function openSteps(): Promise<Environment['steps']> {
  const { noSteps, stepFile } = await import('./adapters/system/step-file.ts')
  const path = process.env['TIDEMARK_STEP_FILE']
  return path ? stepFile(path, process.env['TIDEMARK_STEP_HOLD']) : noSteps
}

/**
 * Loads the job that `nameOrPath` names: a file, or a name in the folder `jobs`. Throws JOB_INVALID. What it is
 * translated into is kept below the state, or where `TIDEMARK_CACHE_DIR` says.
 */
export async function loadJob(nameOrPath: string, jobs: string, stateDir: string): Promise<LoadedJob> {
  const [loader, surface] = await Promise.all([import('./adapters/job-loader/load-job.ts'), import('./index.ts')])
  return loader.loadJob(nameOrPath, jobs, process.env.TIDEMARK_CACHE_DIR || join(stateDir, 'cache'), surface)
}

/** True where there is a job file of this path. */
export async function hasJobFile(path: string): Promise<boolean> {
  const { isFile } = await import('./adapters/job-loader/job-path.ts')
  return isFile(path)
}

/** Opens the log at an address, `sqlite:PATH` or `kafka://HOST:PORT`. Throws CONFIG_INVALID for another address. */
export async function openLog(url: string): Promise<Log> {
  if (url.startsWith('kafka:')) return openKafka(url)
  const path = /^sqlite:(.+)$/.exec(url)?.[1]
  if (path === undefined) throw notALog(url)
  const { SqliteLog } = await import('./adapters/sqlite/log/log.ts')
  return SqliteLog.open(path, busyTimeout())
}

/**
 * How long a file that another process writes is waited for, 5s by default; `TIDEMARK_BUSY_TIMEOUT` sets it, as in `30s`.
 * Throws USAGE for what is no span of time.
 */
function busyTimeout(): { readonly busyTimeoutMs?: number } {
  const given = process.env.TIDEMARK_BUSY_TIMEOUT
  return given ? { busyTimeoutMs: durationMs(given, 'TIDEMARK_BUSY_TIMEOUT') } : {}
}

async function openKafka(url: string): Promise<Log> {
  const [{ KafkaLog }, { readSettings }, { readSettingsFile }, { systemClock }] = await Promise.all([
    import('./adapters/kafka/log.ts'),
    import('./adapters/kafka/settings/read-settings.ts'),
    import('./adapters/kafka/settings/settings-file.ts'),
    import('./adapters/system/clock.ts'),
  ])
  const log = new KafkaLog(readSettings(url, process.env, readSettingsFile), systemClock, lease().leaseMs)
  log.connectAhead()
  return log
}

function notALog(url: string): TidemarkError {
  // A mistyped scheme may be followed by a user, a password, options: none of it is repeated.
  const scheme = /^([a-z][a-z0-9+.-]*):(?=\/\/|[^@]*$)/i.exec(url)?.[1]
  const what = scheme === undefined ? 'the address of the log has no scheme' : `there is no log at ${scheme}:…`
  return new TidemarkError('CONFIG_INVALID', what, {
    hint: 'Give --log or TIDEMARK_LOG as sqlite:PATH or kafka://HOST:PORT, for instance sqlite:.tidemark/log.db.',
  })
}

/** Reads and writes files. */
export type Files = Awaited<ReturnType<typeof openFiles>>

export async function openFiles() {
  const modules = await Promise.all([
    import('./adapters/files/line-blocks.ts'),
    import('./adapters/files/csv-blocks.ts'),
    import('./adapters/files/csv-text.ts'),
    import('./adapters/files/batch-spool.ts'),
    import('./adapters/files/output-file.ts'),
  ])
  const [{ lineBlocks, storedBytes }, { csvBlocks }, { csvText }, { BatchSpool }, { OutputFile }] = modules
  return { lineBlocks, storedBytes, csvBlocks, csvText, BatchSpool, OutputFile }
}
