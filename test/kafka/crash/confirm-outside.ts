import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Chain } from '../../e2e/crash/chain.ts'
import { OUTPUTS, type Outcome, stateOf } from '../../e2e/crash/outcome.ts'
import { JOB } from '../../e2e/crash/till.ts'
import { javaReads } from '../support/java-client.ts'

/** Looks at what a chain came to on the brokers: another client finds the same records, and a restore the same state. */
export async function confirmOutside(bootstrap: string, chain: Chain, came: Outcome): Promise<void> {
  javaFinds(bootstrap, chain, came)
  await isRestored(chain)
}

/** The Java client, which reads what is committed, finds the same records: none twice, none missing. */
function javaFinds(bootstrap: string, { output }: Chain, { outputs }: Outcome): void {
  const text = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex').toString())
  const read = javaReads(bootstrap, OUTPUTS.map(output))
  for (const name of OUTPUTS) {
    const found = read
      .filter(({ topic }) => topic === output(name))
      .map(({ partition, timestamp, key, value }) => ({
        partition,
        timestamp,
        key: text(key),
        value: JSON.parse(text(value) ?? 'null'),
      }))
    expect(found).toEqual(outputs[name]?.map(({ headers: _, ...record }) => record))
  }
}

/**
 * Without its state directory the job comes to the same state, from its changelogs. To the outside it is another machine
 * then, and the last process of the chain may have died with a lease.
 */
async function isRestored(chain: Chain): Promise<void> {
  const { stores, checkpoint } = stateOf(chain)
  rmSync(join(chain.folder, '.tidemark'), { recursive: true })
  const { status, stdout, stderr } = await chain.start(['run', JOB, '--json', '--take-over']).ended
  expect({ status, stdout, stderr }).toMatchObject({
    status: 0,
    stdout: expect.any(String),
    stderr: expect.any(String),
  })
  expect(JSON.parse(stdout)).toMatchObject({ status: 'done', records: 0 })
  expect(stateOf(chain)).toMatchObject({ stores, checkpoint })
}
