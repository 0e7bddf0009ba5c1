import { TidemarkError } from '../core/errors.ts'
import type { JobVersions } from '../runtime/diff/diff-generation.ts'
import type { Tolerance } from '../runtime/diff/tolerance.ts'
import type { JobOptions } from './job-options.ts'
import { loadJobOf } from './load-job-of.ts'

/** The live version of a job, and that of another generation. */
export async function jobVersions(options: JobOptions, generation: string): Promise<JobVersions> {
  const live = await loadJobOf(options)
  return { live, other: await loadJobOf(options, generation) }
}

export const TOLERANCE_OPTION = {
  type: 'string',
  array: true,
  default: [] as string[],
  describe: 'how far numbers may lie apart: 0.01, or FIELD=0.01',
} as const

/** Reads `0.01` and `FIELD=0.01`. Throws USAGE for anything else. */
export function toleranceOf(texts: readonly string[]): Tolerance {
  const fields = new Map<string, number>()
  let any = 0
  for (const text of texts) {
    const [, field, number = ''] = /^(?:(.+)=)?([^=]+)$/.exec(text) ?? []
    const value = Number(number)
    if (number.trim() === '' || !Number.isFinite(value) || value < 0) {
      throw new TidemarkError('USAGE', `--tolerance ${JSON.stringify(text)} is no tolerance`, {
        hint: 'Give a number from 0 on for all numbers, or FIELD=NUMBER for those of a field.',
      })
    }
    if (field === undefined) any = value
    else fields.set(field, value)
  }
  return { any, fields }
}

/** Reads a whole number from 0 on. Throws USAGE for anything else. */
export function countOption(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new TidemarkError('USAGE', `--${name} ${value} is not a whole number`, {
    hint: 'Give a whole number from 0 on.',
  })
}
