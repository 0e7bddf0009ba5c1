/**
 * The JSON object that a command printed last: it has a line of its own. What else is there was printed by a job's code.
 * Null where there is none.
 */
export function lastDocument(stdout: string): Readonly<Record<string, unknown>> | null {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  for (const line of lines.reverse()) {
    try {
      const document: unknown = JSON.parse(line)
      if (typeof document === 'object' && document !== null) return { ...document }
    } catch {
      // not the document
    }
  }
  return null
}
