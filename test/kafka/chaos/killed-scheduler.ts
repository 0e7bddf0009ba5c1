import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { type Ended, type Started, startIn } from '../../e2e/helpers/tidemark.ts'

export const FILES = ['adding-job', 'chaining-job'].map((name) =>
  fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
)

/** A scheduler of both jobs, the real binary, and the runs that it has started. */
export class KilledScheduler {
  readonly started: Started
  /** How many runs it has told of that came to their end. */
  done = 0

  constructor(folder: string, env: Readonly<Record<string, string>>, files: readonly string[] = FILES) {
    this.started = startIn(folder, ['schedule', ...files, '--max-runs', '2'], env)
    this.started.child.stderr?.on('data', (text: string) => {
      this.done += text.match(/run \w+ done/g)?.length ?? 0
    })
  }

  /** The processes of its runs now. */
  runs(): readonly number[] {
    const { pid } = this.started.child
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []))
  }

  /** Resolves when it is gone, and all its runs are: they have inherited its stderr. */
  get allGone(): Promise<Ended> {
    return this.started.ended
  }
}

/** Kills a process, which may be gone already. */
export function killed(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}
