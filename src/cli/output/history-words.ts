import type { RunPhases, RunRow } from '../../ports/history.ts'
import { bytesInWords, secondInWords, tookInWords } from './words.ts'

const PHASES: readonly (readonly [keyof RunPhases, string])[] = [
  ['plan', 'planning'],
  ['restore', 'restoring'],
  ['process', 'reading and processing'],
  ['store', 'storing'],
  ['deliver', 'delivering'],
]

/** Where a run's time went, how much it moved, and what came before its last attempt: a line each, as far as it is known. */
export function historyInWords({ phases, bytes, earlier, jobHash, startedAt }: RunRow): readonly string[] {
  const lines = [`started: ${secondInWords(startedAt)}, job file ${jobHash.slice(0, 12) || 'unknown'}`]
  if (bytes !== undefined) lines.push(`moved: read ${bytesInWords(bytes.read)}, wrote ${bytesInWords(bytes.written)}`)
  if (phases !== undefined) {
    const spent = PHASES.filter(([phase]) => phases[phase] >= 1)
    if (spent.length > 0) {
      lines.push(
        `time: ${spent.map(([phase, name]) => `${tookInWords(Math.round(phases[phase]))} ${name}`).join(', ')}`,
      )
    }
  }
  for (const { attempt, status, finishedAt, error, jobHash: hash } of earlier ?? []) {
    const when = finishedAt === null ? '' : ` at ${secondInWords(finishedAt)}`
    const other = hash === jobHash ? '' : `, job file ${hash.slice(0, 12)}`
    lines.push(`attempt ${attempt}: ${status}${when}${error === null ? '' : `, ${error}`}${other}`)
  }
  return lines
}
