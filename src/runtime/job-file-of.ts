import type { GenerationRow } from '../ports/state-file.ts'

/**
 * The file to load for a generation of a job, by default the live one, where `named` is the file that was asked for. It is
 * the generation's own where `named` is known as another one's: old and new versions of a job lie side by side after a
 * switch. A file that no generation was made with is a new version put in the place of the one that was there.
 */
export function jobFileOf(generations: readonly GenerationRow[], named: string, generation?: string): string {
  const isWanted = ({ name, role }: GenerationRow) => (generation === undefined ? role === 'live' : name === generation)
  const wanted = generations.find(isWanted)
  if (wanted === undefined || wanted.jobPath === named) return named
  const known = generations.some(({ jobPath, role }) => jobPath === named && role !== 'range')
  return known || generation !== undefined ? wanted.jobPath : named
}
