import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { compiled, missingProgram, QUICK_JAVA } from '../broker/java.ts'

const SOURCE = fileURLToPath(new URL('../java/Writer.java', import.meta.url))

/** Why the Java client cannot be run; undefined when it can. */
export const javaMissing = missingProgram()

/** Lets the Java client carry out commands, one a line, on partition 0 of a topic: see `Writer.java`. */
export function javaWrites(bootstrap: string, topic: string, commands: readonly string[]): void {
  const options = [...QUICK_JAVA, '-Dorg.slf4j.simpleLogger.defaultLogLevel=error']
  const { status, stderr } = spawnSync('java', [...options, '-cp', compiled(SOURCE), 'Writer', bootstrap, topic], {
    input: commands.map((command) => `${command}\n`).join(''),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the Java client ended with ${status}\n${stderr}`)
}
