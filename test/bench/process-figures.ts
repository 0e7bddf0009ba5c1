import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const BIN = fileURLToPath(new URL('../../bin/tidemark.js', import.meta.url))

/** What a process took, from its start to its exit. */
export interface ProcessFigures {
  readonly wallMs: number
  /** User and system, to a hundredth of a second; NaN where the system does not tell. */
  readonly cpuMs: number
  /** Peak resident memory, MB; NaN where the system does not tell. */
  readonly peakMb: number
  readonly stdout: string
}

/** Runs the command line as a process of its own. Throws where it does not exit with 0. */
export function tidemark(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProcessFigures> {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    })
    let stdout = ''
    let peakMb = Number.NaN
    let cpuMs = Number.NaN
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    const watch = setInterval(() => {
      peakMb = peakOf(child.pid) ?? peakMb
      cpuMs = cpuOf(child.pid) ?? cpuMs
    }, 10)
    child.on('close', (status) => {
      clearInterval(watch)
      const wallMs = performance.now() - started
      if (status === 0) resolve({ wallMs, cpuMs, peakMb, stdout })
      else reject(new Error(`tidemark ${args.join(' ')} ended with ${status}`))
    })
  })
}

/** Ticks of a hundredth of a second, behind the name in parentheses. */
function cpuOf(pid: number | undefined): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ms = (Number(fields[11]) + Number(fields[12])) * 10
    return ms > 0 ? ms : undefined
  } catch {
    return undefined
  }
}

/** The kernel keeps the peak: a look just before the end is enough. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const kb = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kb === undefined ? undefined : Number(kb) / 1000
  } catch {
    return undefined
  }
}
