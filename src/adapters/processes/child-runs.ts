import { type ChildProcess, spawn } from 'node:child_process'
import type { LaunchedRun, RunEnd, RunLauncher, RunOrder } from '../../ports/run-launcher.ts'
import { lastDocument } from './last-document.ts'

/** How long the output of a process that has ended is waited for: something it started may hold on to it. */
const OUTPUT_MS = 1000

/** So much of what a process prints is kept, in characters: its report comes last. */
const KEPT_OUTPUT = 4_000_000

/**
 * Runs as processes of `tidemark run`. Each has a session of its own, so that a Ctrl-C is not heard twice, and gets a pipe
 * on its stdin that nothing is written to: it stops behind a slice when that ends, which the system sees to when this
 * process is gone.
 */
export class ChildRuns implements RunLauncher {
  readonly #command: readonly [string, ...string[]]
  readonly #env: NodeJS.ProcessEnv

  /** `command`: node, its options and the binary. `env`: with the places of log, state and jobs in it. */
  constructor(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv) {
    this.#command = command
    this.#env = env
  }

  launch({ job, trigger, until, advanceTime }: RunOrder): LaunchedRun {
    const [file, ...before] = this.#command
    const args = ['run', job, '--json', '--stop-with-stdin', '--trigger', trigger]
    if (until !== null) args.push('--to', new Date(until).toISOString())
    if (advanceTime) args.push('--advance-time')
    const child = spawn(file, [...before, ...args], {
      env: this.#env,
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
      windowsHide: true,
    })
    // It may be gone before its stdin is closed.
    child.stdin.on('error', () => undefined)
    return {
      ended: endOf(child),
      stop: () => child.stdin.end(),
      kill: () => child.kill('SIGKILL'),
    }
  }
}

function endOf(child: ChildProcess): Promise<RunEnd> {
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    // Cut seldom: to cut is to copy.
    if (stdout.length > 2 * KEPT_OUTPUT) stdout = stdout.slice(-KEPT_OUTPUT)
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ status: null, report: null, problem: `not started: ${error.message}` }))
    child.on('exit', (status, signal) => {
      const finish = () => {
        clearTimeout(timer)
        child.stdout?.destroy()
        const problem = signal === null ? null : `killed by ${signal}`
        resolve({ status, report: lastDocument(stdout), problem })
      }
      const timer = setTimeout(finish, OUTPUT_MS)
      child.on('close', finish)
    })
  })
}
