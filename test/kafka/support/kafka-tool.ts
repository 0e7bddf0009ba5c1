import { kafkaClassPath, QUICK_JAVA, runOrThrow } from '../broker/java.ts'

/** Runs `kafka-configs`, to its end. */
export function kafkaConfigs(bootstrap: string, ...args: readonly string[]): void {
  const options = [...QUICK_JAVA, '-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', kafkaClassPath()]
  runOrThrow('java', [...options, 'kafka.admin.ConfigCommand', '--bootstrap-server', bootstrap, ...args])
}
