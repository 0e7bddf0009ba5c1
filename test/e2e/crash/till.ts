import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { Workplace } from '../helpers/tidemark.ts'
import { purchases, shops } from './purchases.ts'

/** The job of the crash tests. */
export const JOB = fileURLToPath(new URL('../../fixtures/jobs/till.ts', import.meta.url))

/** How many records its inputs have. */
export const PURCHASES = 2_400
export const SHOPS = 9

const TIMED = ['--timestamp', 'at', '--partitions', '2']

/** Imports both inputs; the names of their topics end with `suffix`. */
export async function importInputs(
  place: Workplace,
  env: Readonly<Record<string, string>> = {},
  suffix = '',
): Promise<void> {
  place.file('purchases.jsonl', purchases(PURCHASES))
  place.file('shops.jsonl', shops())
  for (const [topic, key] of [
    ['purchases', 'customer'],
    ['shops', 'shop'],
  ] as const) {
    const args = ['log', 'import', `${topic}${suffix}`, `${topic}.jsonl`, '--key', key, ...TIMED]
    expect(await place.run(args, env)).toMatchObject({ status: 0 })
  }
}
