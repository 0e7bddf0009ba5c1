import type { Io } from '../io.ts'

/** Where the lines go that a job prints: to stdout, or to stderr where stdout is to hold one JSON document. */
export function printer(io: Io): (line: string) => void {
  if (io.json) return (line) => io.notice(line)
  return (line) => void io.write(Buffer.from(`${line}\n`, 'utf8'))
}
