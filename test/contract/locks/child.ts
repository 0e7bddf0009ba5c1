import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const jiti = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs')

/** A second process, which runs a TypeScript file of the tests and talks in lines. */
export class Child {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>

  private constructor(process: ChildProcess) {
    this.#process = process
    if (process.stdout === null) throw new Error('the child has no stdout')
    this.#lines = createInterface(process.stdout)[Symbol.asyncIterator]()
  }

  /** Starts `script`, a path from the caller's `import.meta.url`, and waits until it says `ready`. */
  static async start(
    from: string,
    script: string,
    args: readonly string[],
    flags: readonly string[] = [],
  ): Promise<Child> {
    const path = fileURLToPath(new URL(script, from))
    const child = new Child(
      spawn(process.execPath, [...flags, jiti, path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    const first = await child.line()
    if (first !== 'ready') throw new Error(`the child says ${first}`)
    return child
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** The next line that it says, or undefined when it has ended. */
  async line(): Promise<string | undefined> {
    const next = await this.#lines.next()
    return next.done ? undefined : next.value
  }

  say(line: string): void {
    this.#process.stdin?.write(`${line}\n`)
  }

  /** SIGKILL: the process does nothing more. Resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const gone = once(this.#process, 'exit')
    this.#process.kill('SIGKILL')
    await gone
  }
}
