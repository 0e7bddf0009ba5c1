import { fileURLToPath } from 'node:url'
import type { Where } from '../topology/nodes.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const FRAMES = 12

/** The place in the job file from which the surface was called: the nearest frame outside this folder. */
export function whereOfCall(): Where | null {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, whereOfCall)
  Error.stackTraceLimit = limit
  for (const frame of holder.stack?.split('\n').slice(1) ?? []) {
    const where = parseFrame(frame)
    if (where !== null && !where.file.startsWith(HERE)) return where
  }
  return null
}

/** `at name (file:///path/job.ts:12:3)` or `at /path/job.ts:12:3`. */
function parseFrame(frame: string): Where | null {
  const [, location, line] = /^\s*at (?:.* \()?(.+?):(\d+):\d+\)?$/.exec(frame) ?? []
  if (location === undefined || location.startsWith('node:')) return null
  return { file: location.startsWith('file:') ? fileURLToPath(location) : location, line: Number(line) }
}
