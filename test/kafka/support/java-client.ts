import { fileURLToPath } from 'node:url'
import { compiled, QUICK_JAVA, runOrThrow, streamsClassPath } from '../broker/java.ts'

/** A record as the Java client gives it; bytes in hex. */
export interface JavaRecord {
  readonly topic: string
  readonly partition: number
  readonly offset: number
  readonly timestamp: number
  readonly key: string | null
  readonly value: string | null
  readonly headers: readonly (readonly [name: string, value: string | null])[]
}

/** All that is committed of the topics, as the Java client reads it: topic by topic, each partition in its order. */
export function javaReads(bootstrap: string, topics: readonly string[]): readonly JavaRecord[] {
  const records = lines(run('Reader', [bootstrap, ...topics])).map((line) => JSON.parse(line) as JavaRecord)
  return records.sort((left, right) =>
    left.topic === right.topic
      ? left.partition - right.partition || left.offset - right.offset
      : topics.indexOf(left.topic) - topics.indexOf(right.topic),
  )
}

/** The partitions into which the Java client's default partitioner puts records with these keys. */
export function javaPartitions(
  bootstrap: string,
  records: readonly { readonly topic: string; readonly key: Uint8Array }[],
): readonly number[] {
  const input = records.map(({ topic, key }) => `${topic} ${Buffer.from(key).toString('hex')}\n`).join('')
  return lines(run('Partitions', [bootstrap], input)).map(Number)
}

/** A private key of a key store, PEM. */
export function javaPrivateKey(store: string, password: string, alias: string): string {
  return run('PrivateKeyPem', [store, password, alias])
}

/** What Kafka Streams' serdes and the Java client are to do with windowed keys: see `Windows.java`. Gives what they print. */
export function javaWindows(bootstrap: string, commands: readonly object[]): readonly unknown[] {
  const input = commands.map((command) => `${JSON.stringify(command)}\n`).join('')
  return lines(run('Windows', [bootstrap], input, streamsClassPath())).map((line) => JSON.parse(line) as unknown)
}

function run(program: string, args: readonly string[], input = '', classPath?: string): string {
  const source = fileURLToPath(new URL(`../java/${program}.java`, import.meta.url))
  const classes = compiled(source, classPath)
  const options = [...QUICK_JAVA, '-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', classes]
  return runOrThrow('java', [...options, program, ...args], { input, maxBuffer: 256 * 1024 * 1024 })
}

function lines(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}
