import type { LogNeeds } from '../ports/log.ts'
import type { Job } from '../topology/job.ts'
import { changelogSettings, changelogsOf } from './changelogs/changelog-topics.ts'
import type { Environment } from './environment.ts'
import { FIRST_GENERATION } from './generations.ts'
import { jobInputs } from './input/job-inputs.ts'
import { liveName } from './live-name.ts'
import type { LoadedJob } from './loaded-job.ts'
import { outputTopics } from './output-topics.ts'

/** Something that a run would stumble over, or that its owner should know. */
export interface Finding {
  readonly level: 'warning' | 'note'
  readonly message: string
}

/** A run may need this much for its write-ahead logs and its outbox, bytes. */
const LOW_DISK_BYTES = 512 * 1024 * 1024

/** How far ahead of a broker's clock the time of a record may lie, ms, and what it says where that is as far as can be. */
const AHEAD = 'message.timestamp.after.max.ms'
const ANY_TIME = String(2n ** 63n - 1n)

/** Looks at what a run needs: rights, the topics that it writes and their settings, limits, the disk. Changes nothing. */
export async function preflight(
  env: Pick<Environment, 'log' | 'state'>,
  { job }: LoadedJob,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const wanted = writtenTopics(env, job)
  const obstacles = await env.log.obstacles(needsOf(job, wanted))
  findings.push(...obstacles.map((message) => ({ level: 'warning', message }) as const))
  const there = new Map((await env.log.describe([...wanted.keys()])).map((topic) => [topic.name, topic]))
  for (const [name, { kind, settings }] of wanted) {
    const topic = there.get(name)
    if (topic === undefined) {
      findings.push({ level: 'note', message: `${kind} ${name} does not exist yet: the run creates it` })
      continue
    }
    for (const [setting, value] of Object.entries(settings)) {
      const found = topic.settings[setting]
      if (found === undefined || found === value) continue
      findings.push({ level: 'warning', message: `${kind} ${name} has ${setting}=${found}, not ${value}` })
    }
    const ahead = topic.settings[AHEAD]
    if (ahead !== undefined && ahead !== ANY_TIME)
      findings.push({ level: 'warning', message: refusedTimes(name, ahead) })
  }
  const free = env.state.freeBytes()
  if (free !== undefined && free < LOW_DISK_BYTES) {
    findings.push({ level: 'warning', message: `only ${Math.round(free / 1_000_000)} MB are free for the state` })
  }
  return findings
}

interface Written {
  readonly kind: 'output topic' | 'changelog'
  readonly settings: Readonly<Record<string, string>>
}

function needsOf(job: Job, written: ReadonlyMap<string, Written>): LogNeeds {
  const all = [...written]
  // A restore reads the changelogs.
  const changelogs = all.filter(([, { kind }]) => kind === 'changelog').map(([name]) => name)
  const inputs = jobInputs(job).map(({ topic }) => topic.name)
  const writes = all.map(([name, { settings }]) => ({ name, settings }))
  return { job: job.name, key: 'live', reads: [...inputs, ...changelogs], writes }
}

/** What a run of the live generation writes, but for its commit records. */
function writtenTopics({ log, state }: Pick<Environment, 'log' | 'state'>, job: Job): ReadonlyMap<string, Written> {
  const written = new Map<string, Written>()
  for (const [name, settings] of outputTopics(job)) written.set(name, { kind: 'output topic', settings })
  const generation = liveName(state, job.name) ?? FIRST_GENERATION
  for (const name of changelogsOf(log, job, generation)?.values() ?? []) {
    written.set(name, { kind: 'changelog', settings: changelogSettings })
  }
  return written
}

function refusedTimes(topic: string, ahead: string): string {
  return `${topic} has ${AHEAD}=${ahead}: records whose time is further ahead of the broker's clock are refused there`
}
