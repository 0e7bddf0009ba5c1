import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { misused } from '../../../src/cli/usage.ts'
import { openLog } from '../../../src/compose.ts'
import { isTidemarkError } from '../../../src/core/errors.ts'
import { propertyRuns } from '../../fixtures/property-runs.ts'

/** Where a person may have meant to put a secret. */
const ADDRESSES: readonly ((secret: string) => string)[] = [
  (secret) => `kafka://ann:${secret}@b:9092`,
  (secret) => `kafka://ann:${secret}@b:9092?sasl=plain&username=ann`,
  (secret) => `kafka://${secret}@b`,
  (secret) => `kafka://ann:${secret}`,
  (secret) => `kafka://b,ann:${secret}`,
  (secret) => `kafka:ann:${secret}@b`,
  (secret) => `kafka:/ann:${secret}@b`,
  (secret) => `kafka://b?sasl=plain&username=ann&password=${secret}`,
  (secret) => `kafka://b?sasl=plain&username=ann&pasword=${secret}`,
  (secret) => `kafka://b?sasl=oauth&password=${secret}&username=ann`,
  (secret) => `kafka://b?password=${secret}`,
  (secret) => `kafka://b?${secret}`,
  (secret) => `kafka://b/?sasl=${secret}&username=ann&password=x`,
  (secret) => `kafak://ann:${secret}@b`,
  (secret) => `kafak://b?sasl=plain&username=ann&password=${secret}`,
  (secret) => `kafka//ann:${secret}@b`,
  (secret) => `//ann:${secret}@b`,
  (secret) => `ann:${secret}@b:9092`,
  (secret) => `Kafka://ann:${secret}@b`,
]

/** Letters that no message has by chance, in pieces, so that a part of a secret is seen too. */
const piece = fc
  .string({ unit: fc.constantFrom(...'QXZJ0123456789'), minLength: 7, maxLength: 12 })
  .map((text) => `X${text}`)
const between = fc.string({
  unit: fc.constantFrom(...'&?#/@:=+%,; \\"\'[]{}<>|~!$^*()\n\té😀'),
  minLength: 1,
  maxLength: 2,
})

describe('a secret in an address that is written wrongly', () => {
  it.each([
    'kafka://b?sasl=plain&username=ann&password=ab&S3CRET',
    'kafka://ann:s3?S3CRET@b:9092',
    'kafka://ann:S3CRET',
    'kafak://ann:S3CRET?x@b',
    'kafak://ann:s3/S3CRET@b',
  ])('%s is refused without it', async (address) => {
    const told = await complaint(address)
    expect(told).toContain('CONFIG_INVALID')
    expect(told).not.toContain('S3CRET')
  })

  it('is never repeated, whatever characters it has', async () => {
    const pieces = fc.array(piece, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(pieces, between, fc.constantFrom(...ADDRESSES), async (parts, joint, write) => {
        const address = write(parts.join(joint))
        const told = await complaint(address)
        const stray = address.includes('://') ? shown(misused(`Unknown argument: ${address}`, 'tidemark log list')) : ''
        for (const part of parts) expect(told + stray).not.toContain(part)
      }),
      propertyRuns(300),
    )
  })
})

/** Everything that could be printed of the error; empty where the address is in order. */
async function complaint(address: string): Promise<string> {
  try {
    const log = await openLog(address)
    await log.close()
    return ''
  } catch (error) {
    if (!isTidemarkError(error)) throw error
    return shown(error)
  }
}

function shown(value: unknown): string {
  return `${inspect(value, { depth: 10, showHidden: true })}${JSON.stringify(value)}`
}
