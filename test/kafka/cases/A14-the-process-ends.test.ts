import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { record, singles } from '../../contract/log/records.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { KafkaField } from '../support/kafka-field.ts'

const kafka = kafkaBroker()
const JITI = join(dirname(createRequire(import.meta.url).resolve('jiti/package.json')), 'lib', 'jiti-cli.mjs')
const SCRIPT = fileURLToPath(new URL('../support/run-and-end.ts', import.meta.url))

/** Runs the script to the end that it finds itself: nothing stops it. */
async function run(...args: readonly string[]): Promise<readonly [status: number, stdout: string]> {
  const child = spawn(process.execPath, [JITI, SCRIPT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [stdout, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  return [status, stdout]
}

describe.skipIf(kafka.missing)('A14: a process that has run a job', { timeout: BROKER_TIMEOUT_MS }, () => {
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it('ends by itself, and the next one starts at once', async () => {
    const field = new KafkaField(bootstrap)
    await field.make()
    await field.log.admin().append(singles(field.at(), [record('a'), record('b'), record('c')]))
    const args = [`kafka://${bootstrap}`, field.folder, field.input]
    expect(await run(...args)).toEqual([0, '3\n'])
    expect(await run(...args)).toEqual([0, '0\n'])
  })
})
