import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cached } from './cache.ts'

/** For processes that live for seconds: start-up counts, not speed. */
export const QUICK_JAVA = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto']

const BROKER_POM = fileURLToPath(new URL('./pom.xml', import.meta.url))
const STREAMS_POM = fileURLToPath(new URL('./streams-pom.xml', import.meta.url))

/** The first of the programs that are needed and not there; undefined when a broker can be made. */
export function missingProgram(): string | undefined {
  return ['java', 'javac', 'mvn'].find((program) => !isOnPath(program))
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The class path of Apache Kafka: its jars are fetched by Maven once, and kept. Throws with what Maven said. */
export function kafkaClassPath(): string {
  return jarsOf(BROKER_POM, 'kafka', 'Apache Kafka')
}

/** The class path of Kafka Streams, with Apache Kafka's. */
export function streamsClassPath(): string {
  return `${jarsOf(STREAMS_POM, 'streams', 'Kafka Streams')}${delimiter}${kafkaClassPath()}`
}

function jarsOf(pom: string, name: string, what: string): string {
  const jars = cached(`${name}-${digest(readFileSync(pom))}`, (folder) => {
    process.stderr.write(`fetching the jars of ${what}, once\n`)
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${folder}`]
    runOrThrow('mvn', ['-q', '-B', '-f', pom, ...goal])
  })
  return join(jars, '*')
}

/** The class path of a Java program that stands in one source file, compiled once against the jars of `classPath`. */
export function compiled(source: string, classPath = kafkaClassPath()): string {
  const classes = cached(`classes-${digest(readFileSync(source))}-${basename(source, '.java')}`, (folder) => {
    runOrThrow('javac', ['-nowarn', '-proc:none', '-d', folder, '-cp', classPath, source])
  })
  return `${classes}${delimiter}${classPath}`
}

/** Runs a program to its end and gives its stdout. Throws with its output when it fails. */
export function runOrThrow(program: string, args: readonly string[], options: SpawnSyncOptions = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${program} ${args[0]} … ended with ${status}\n${stdout}${stderr}`)
  return String(stdout)
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 12)
}
