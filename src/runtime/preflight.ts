import type { Environment } from './environment.ts'
import type { LoadedJob } from './loaded-job.ts'
import { outputTopics } from './output-topics.ts'

/** Something that a run would stumble over, or that its owner should know. */
export interface Finding {
  readonly level: 'warning' | 'note'
  readonly message: string
}

/** A run may need this much for its write-ahead logs and its outbox, bytes. */
const LOW_DISK_BYTES = 512 * 1024 * 1024

/** Looks at what a run needs beside its input: output topics and their settings, the disk. Changes nothing. */
export async function preflight(
  env: Pick<Environment, 'log' | 'state'>,
  { job }: LoadedJob,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const wanted = outputTopics(job)
  const there = new Map((await env.log.describe([...wanted.keys()])).map((topic) => [topic.name, topic]))
  for (const [name, settings] of wanted) {
    const topic = there.get(name)
    if (topic === undefined) {
      findings.push({ level: 'note', message: `output topic ${name} does not exist yet: the run creates it` })
      continue
    }
    for (const [setting, value] of Object.entries(settings)) {
      const found = topic.settings[setting]
      if (found === undefined || found === value) continue
      findings.push({ level: 'warning', message: `output topic ${name} has ${setting}=${found}, not ${value}` })
    }
  }
  const free = env.state.freeBytes()
  if (free !== undefined && free < LOW_DISK_BYTES) {
    findings.push({ level: 'warning', message: `only ${Math.round(free / 1_000_000)} MB are free for the state` })
  }
  return findings
}
