import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { installAt } from '../../e2e/helpers/installation.ts'
import { startIn, workplace } from '../../e2e/helpers/tidemark.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from '../kafka-broker.ts'
import { javaMissing, javaWrites } from '../support/java-writer.ts'
import { KafkaField } from '../support/kafka-field.ts'
import { unique } from '../support/logs.ts'

const kafka = kafkaBroker()
const CODECS = ['gzip', 'snappy', 'lz4', 'zstd']

describe.skipIf(kafka.missing)('A12: codecs', { timeout: BROKER_TIMEOUT_MS }, () => {
  const place = workplace()
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
  }, BROKER_TIMEOUT_MS)

  it.skipIf(javaMissing)('all that the Java client writes are read', async () => {
    const field = new KafkaField(bootstrap)
    await field.make()
    const send = (codec: string, index: number) => `send ${codec} ${codec} ${index} ${codec} ${'9'.repeat(index + 1)}`
    javaWrites(bootstrap, field.input, CODECS.map(send))
    expect((await field.run(field.counting())).records).toBe(4)
    expect(await field.read(0, 4)).toEqual(['0gzip=9', '1snappy=99', '2lz4=999', '3zstd=9999'])
    expect(field.counts()).toEqual(['gzip=1', 'lz4=1', 'snappy=1', 'zstd=1'])
    expect(field.positions()).toEqual([4])
  })

  it.skipIf(javaMissing).each(CODECS)('what the broker compresses again with %s is read', async (codec) => {
    const field = new KafkaField(bootstrap)
    await field.make(1, { 'compression.type': codec })
    const values = Array.from({ length: 5 }, (_, index) => `${'9'.repeat(100)}${index}`)
    javaWrites(
      bootstrap,
      field.input,
      values.map((value, index) => `send plain none ${index} k ${value}`),
    )
    expect(await field.read(0, 5)).toEqual(values.map((value, offset) => `${offset}k=${value}`))
  })

  it.skipIf(javaMissing).each([
    ['snappy', 'snappy'],
    ['lz4', 'lz4-wasm-nodejs'],
  ])('a run that has no library for %s ends and says so, and one that has it goes on', async (codec, library) => {
    const suffix = unique(`-${codec}`)
    const env = { TIDEMARK_LOG: `kafka://${bootstrap}`, TALLY_SUFFIX: suffix }
    const input = `asked${suffix}`
    expect(await place.run(['log', 'create', input], env)).toMatchObject({ status: 0 })
    const write = (name: string, at: number) =>
      javaWrites(bootstrap, input, [`send ${name} ${name} ${at} ${'key'.repeat(100)} ${at}`])
    write('gzip', 0)
    expect(await place.run(['run', JOB], env)).toMatchObject({ status: 0 })
    const position = async () => {
      const { stdout } = await place.run(['checkpoint', JOB, '--json'], env)
      return JSON.parse(stdout).checkpoint.offsets[`${input}/0`]
    }
    expect(await position()).toBe(1)

    write('gzip', 1)
    write(codec, 2)
    const home = mkdtempSync(join(place.path, 'without-'))
    const binary = installAt(home, [library])
    const { status, stderr } = await startIn(place.path, ['run', JOB], env, binary).ended
    expect({ status, stderr }).toMatchObject({
      status: 74,
      stderr: expect.stringMatching(new RegExp(`${codec}[^]*at: .*${input}\\[0\\]@2[^]*RECORD_BATCH_UNSUPPORTED`)),
    })
    expect(await position()).toBe(1)
    expect(await place.run(['run', JOB], env)).toMatchObject({ status: 0 })
    expect(await position()).toBe(3)
  })
})

const JOB = fileURLToPath(new URL('../../fixtures/jobs/tally.ts', import.meta.url))
