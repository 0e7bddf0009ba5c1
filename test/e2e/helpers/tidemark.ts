import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const BINARY = fileURLToPath(new URL('../../../bin/tidemark.js', import.meta.url))

/** How a run of the binary ended. */
export interface Ended {
  /** Null where a signal ended it. */
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A folder with the real binary in it, as a user has it: no setting of the machine that runs the tests leaks in. */
export interface Workplace {
  readonly path: string
  /** Runs `tidemark …` there, to its end. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** Runs it with `--json`, expects status 0 and a single document on stdout, and gives that. */
  json<T = unknown>(...args: readonly string[]): Promise<T>
  /** Writes a file and gives its path in the folder. */
  file(name: string, content: string | Uint8Array): string
}

/** Makes a folder for the tests of a file; it is removed after them. Call it in a describe or on top. */
export function workplace(): Workplace {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-e2e-'))
  afterAll(() => rmSync(path, { recursive: true, force: true }))
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => startIn(path, args, env).ended
  return {
    path,
    run,
    async json<T>(...args: readonly string[]) {
      const { status, stdout, stderr } = await run([...args, '--json'])
      if (status !== 0) throw new Error(`tidemark ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
      return JSON.parse(stdout) as T
    },
    file(name, content) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content)
      return name
    },
  }
}

/** A process of the binary. */
export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

/** Starts `tidemark …` in a folder. */
export function startIn(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  binary = BINARY,
): Started {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(TIDEMARK_|NODE_OPTIONS$|VITEST|FORCE_COLOR$)/.test(name),
  )
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, stdout, stderr }))
  })
  return { child, ended }
}
