import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { kafkaClassPath, QUICK_JAVA } from './java.ts'

/** The process of one broker, by the folder that holds its configuration, its data, its log and its process id. */
export class BrokerProcess {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  get pid(): number | undefined {
    const file = join(this.folder, 'pid')
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
    return pid !== undefined && isAlive(pid) ? pid : undefined
  }

  /** The end of what it has printed. */
  get lastWords(): string {
    return readFileSync(this.#log, 'utf8').slice(-2000)
  }

  /** Starts it; it answers later, and outlives this process. */
  start(javaOptions: readonly string[] = []): void {
    if (this.pid !== undefined) return
    const log = openSync(this.#log, 'a')
    const options = [...QUICK_JAVA, '-Xmx512m', ...javaOptions, '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn']
    const args = [...options, '-cp', kafkaClassPath(), 'kafka.Kafka', join(this.folder, 'server.properties')]
    const child = spawn('java', args, { detached: true, stdio: ['ignore', log, log] })
    child.on('error', (error) => writeFileSync(this.#log, String(error)))
    child.unref()
    if (child.pid !== undefined) writeFileSync(join(this.folder, 'pid'), String(child.pid))
  }

  /** Ends it, with SIGKILL at once or when it has not gone after ten seconds. Data and configuration stay. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const { pid } = this
    if (pid === undefined) return
    process.kill(pid, signal)
    for (let waited = 0; isAlive(pid); waited += 20) {
      if (waited === 10_000) process.kill(pid, 'SIGKILL')
      await setTimeout(20)
    }
    rmSync(join(this.folder, 'pid'), { force: true })
  }

  /** Lets it stand still, or go on: it holds its connections and does not answer. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.pid !== undefined) process.kill(this.pid, signal)
  }

  get #log(): string {
    return join(this.folder, 'broker.log')
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
