import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Brokers } from '../../src/adapters/kafka/connection/brokers.ts'
import { KafkaLog } from '../../src/adapters/kafka/log.ts'
import { openOutside } from '../../src/adapters/kafka/outside/open-outside.ts'
import type { ApiRequest } from '../../src/adapters/kafka/protocol/request.ts'
import { KafkaLogReader } from '../../src/adapters/kafka/reader/log-reader.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { batchOf, record } from '../contract/log/records.ts'
import { commitAfter, deliver } from '../contract/outside/commits.ts'
import { BROKER_TIMEOUT_MS, kafkaBroker } from './kafka-broker.ts'
import { javaMissing } from './support/java-writer.ts'
import { kafkaConfigs } from './support/kafka-tool.ts'
import { makeTopic, openLog, rest, unique, wholeRanges } from './support/logs.ts'
import { testSettings } from './support/settings.ts'

const kafka = kafkaBroker()
/** A broker looks at the last ten seconds: what is over this for each of them, it makes up for with a pause. */
const BYTES_PER_SECOND = 20_000
const LARGE = 30_000
/** Over the quota from the seventh on, by a second or so each. */
const COUNT = 8

describe.skipIf(kafka.missing ?? javaMissing)('a client with a quota', { timeout: BROKER_TIMEOUT_MS }, () => {
  const client = unique('slow')
  let bootstrap = ''
  beforeAll(async () => {
    bootstrap = await kafka.bootstrap()
    const quota = ['producer_byte_rate', 'consumer_byte_rate'].map((name) => `${name}=${BYTES_PER_SECOND}`).join(',')
    kafkaConfigs(bootstrap, '--alter', '--add-config', quota, '--entity-type', 'clients', '--entity-name', client)
  }, BROKER_TIMEOUT_MS)

  /** Connections that count pauses, by request. */
  function held(requestTimeout: string, clientId = client, retryFor = '1m') {
    const pauses = new Map<string, number>()
    const failures: unknown[] = []
    const settings = testSettings(
      bootstrap,
      `client-id=${clientId}&retry-for=${retryFor}&request-timeout=${requestTimeout}`,
    )
    const brokers = new Brokers(settings, systemClock)
    onTestFinished(() => brokers.close())
    const node = <T>(nodeId: number, request: ApiRequest<T>): Promise<T> => {
      const counted: ApiRequest<T> = {
        ...request,
        read(from) {
          const answer = request.read(from)
          if (answer.throttleMs > 700) pauses.set(request.name, (pauses.get(request.name) ?? 0) + 1)
          return answer
        },
      }
      return brokers.node(nodeId, counted).catch((error) => {
        failures.push(error)
        throw error
      })
    }
    const counting = new Proxy(brokers, {
      get(target, name) {
        if (name === 'node') return node
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    return { brokers: counting, pauses, failures }
  }

  const values = Array.from({ length: COUNT }, () => randomBytes(LARGE).toString('latin1'))

  it('is held back as it writes, and takes no pause for a failure', async () => {
    const { brokers, pauses, failures } = held('20s') // what is under way behind it waits too
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'out')
    const outside = openOutside(brokers, log, { job: unique('job'), key: 'live' })
    onTestFinished(() => outside.close())
    const batches = values.map((value, index) => batchOf(at(), [record(`k${index}`, value)]))
    await deliver(outside, batches, commitAfter(null, 'A'))
    expect(pauses.get('Produce')).toBeGreaterThan(0)
    expect(failures).toEqual([])
    const [range] = await wholeRanges(log, [at()])
    if (range === undefined) throw new Error('there is one')
    const reader = log.reader([range], { isolation: 'read_committed' })
    expect((await rest(reader, 0, range)).map((each) => each.split('=')[0])).toEqual(values.map((_, i) => `${i}k${i}`))
    await reader.close()
  })

  it('is held back as it reads, for longer than a request may take, and comes to the end of its range', async () => {
    const { brokers, pauses, failures } = held('700ms')
    const log = new KafkaLog(testSettings(bootstrap), systemClock)
    onTestFinished(() => log.close())
    const at = await makeTopic(log, 'in')
    for (const [index, value] of values.entries())
      await log.admin().append([batchOf(at(), [record(`k${index}`, value)])])
    const [range] = await wholeRanges(log, [at()])
    if (range === undefined) throw new Error('there is one')
    // Of so little a fetch takes a batch or two: an answer is not the whole.
    const reader = new KafkaLogReader(brokers, [range], { isolation: 'read_committed', bufferBytes: 2 * LARGE })
    expect((await rest(reader, 0, range)).map((each) => each.split('=')[0])).toEqual(values.map((_, i) => `${i}k${i}`))
    await reader.close()
    expect(pauses.get('Fetch')).toBeGreaterThan(0)
    expect(failures).toEqual([])
  })

  // A batch is more than the broker gives in all the time that it looks at: it keeps it back for ever.
  it('that is too small for a single batch is named, in bounded time', async () => {
    const dry = unique('dry')
    const quota = ['--alter', '--add-config', `consumer_byte_rate=${(LARGE / 10) * 0.8}`]
    kafkaConfigs(bootstrap, ...quota, '--entity-type', 'clients', '--entity-name', dry)
    const { brokers } = held('20s', dry, '3s')
    const log = openLog(bootstrap)
    const at = await makeTopic(log, 'in')
    await log.admin().append([batchOf(at(), [record('k', values[0] ?? '')])])
    const reader = new KafkaLogReader(brokers, await wholeRanges(log, [at()]), { isolation: 'read_committed' })
    await expect(reader.next(0)).rejects.toMatchObject({
      code: 'LOG_UNREACHABLE',
      message: expect.stringContaining('a quota has it answer with nothing'),
    })
    await reader.close()
  })
})
