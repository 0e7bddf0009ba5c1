import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryCluster } from '../../../src/adapters/memory/log-cluster.ts'
import { NO_PROGRESS } from '../../../src/cli/output/progress.ts'
import { describeTopic, describeTopics, offsetsIn } from '../../../src/cli/topics/describe-topic.ts'
import { type ExportRequest, exportTopic } from '../../../src/cli/topics/export-topic.ts'
import { tailTopic } from '../../../src/cli/topics/tail-topic.ts'
import { topicRanges } from '../../../src/cli/topics/topic-ranges.ts'
import { parseSettings } from '../../../src/cli/topics/topic-settings.ts'
import { openFiles } from '../../../src/compose.ts'
import { type ByteString, utf8ByteString } from '../../../src/core/bytes.ts'
import { type Headers, NO_HEADERS } from '../../../src/core/headers.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { BatchWriter } from '../../../src/wire/batch-writer.ts'

type Row = readonly [key: ByteString | null, value: string | Uint8Array | null, timestamp: number, headers?: Headers]

let cluster: MemoryCluster
let log: MemoryLog

beforeEach(() => {
  cluster = new MemoryCluster(countedIds())
  log = new MemoryLog(cluster)
})

async function fill(partition: number, ...rows: readonly Row[]): Promise<void> {
  if ((await log.describe(['t'])).length === 0) await log.admin().create({ name: 't', partitions: 2 })
  const writer = new BatchWriter()
  for (const [key, value, timestamp, headers = NO_HEADERS] of rows) {
    writer.append(timestamp, key, typeof value === 'string' ? Buffer.from(value) : value, headers)
  }
  await log.admin().append([{ topic: 't', partition, records: writer.records, bytes: writer.finish() }])
}

async function exported(request: Partial<ExportRequest> = {}) {
  let text = ''
  const around = { log, files: await openFiles(), progress: NO_PROGRESS, stop: new AbortController().signal }
  const ranges = await topicRanges(log, await describeTopic(log, 't'), {}, 0)
  const write = async (more: string) => {
    text += more
  }
  const records = await exportTopic(ranges, { format: 'jsonl', valuesOnly: false, ...request }, { ...around, write })
  return { records, lines: text.split('\n') }
}

const HEADERS: Headers = [
  ['h', Buffer.from('1')],
  ['x', null],
  ['h', Buffer.from('2')],
  ['bin', Buffer.from('00ff80', 'hex')],
  ['constructor', Buffer.from('c')],
]

describe('an export', () => {
  it('says of every key, value and header what its bytes are (cases F2, F4)', async () => {
    await fill(
      0,
      ['\x80', '{"n":9007199254740993,\n "t":"é"}', 0, HEADERS],
      [utf8ByteString('é'), 'plain "text"', 1],
      ['', Buffer.from('00ff80', 'hex'), 2],
    )
    await fill(1, [null, null, 1500], [null, '', 1501])
    const { records, lines } = await exported()
    expect(records).toBe(5)
    expect(lines).toEqual([
      '{"partition":0,"offset":0,"timestamp":"1970-01-01T00:00:00.000Z","keyBase64":"gA==","headers":[["h","1"],["x",null],["h","2"],["bin",{"base64":"AP+A"}],["constructor","c"]],"value":{"n":9007199254740993,  "t":"é"}}',
      '{"partition":0,"offset":1,"timestamp":"1970-01-01T00:00:00.001Z","key":"é","valueText":"plain \\"text\\""}',
      '{"partition":0,"offset":2,"timestamp":"1970-01-01T00:00:00.002Z","key":"","valueBase64":"AP+A"}',
      '{"partition":1,"offset":0,"timestamp":"1970-01-01T00:00:01.500Z","key":null,"value":null}',
      '{"partition":1,"offset":1,"timestamp":"1970-01-01T00:00:01.501Z","key":null,"valueText":""}',
      '',
    ])
    for (const line of lines.slice(0, -1)) expect(() => JSON.parse(line)).not.toThrow()
  })

  it('has a column for every field, in the order in which they come, and for what is no object', async () => {
    await fill(0, ['a', '{"n":1,"key":"own"}', 0], ['\xff', '{"m":{"x":[9007199254740993]},"n":null}', 1])
    await fill(1, ['b', 'a,"text"', 2], ['c', Buffer.from([0xff]), 3], ['d', null, 4])
    expect((await exported({ format: 'csv' })).lines).toEqual([
      'partition,offset,timestamp,key,n,value.key,m,keyBase64,value,valueBase64',
      '0,0,1970-01-01T00:00:00.000Z,a,1,own,,,,',
      '0,1,1970-01-01T00:00:00.001Z,,,,"{""x"":[9007199254740993]}",/w==,,',
      '1,0,1970-01-01T00:00:00.002Z,b,,,,,"a,""text""",',
      '1,1,1970-01-01T00:00:00.003Z,c,,,,,,/w==',
      '1,2,1970-01-01T00:00:00.004Z,d,,,,,,',
      '',
    ])
  })

  it('may be of the values alone', async () => {
    await fill(0, ['a', '{"n":1}', 0], ['b', 'text', 1], ['c', null, 2])
    expect((await exported({ valuesOnly: true })).lines).toEqual(['{"n":1}', '"text"', 'null', ''])
    expect((await exported({ valuesOnly: true, format: 'csv' })).lines).toEqual(['n,value', '1,', ',text', ',', ''])
  })
})

describe('the tail of a topic', () => {
  it('is its last records by time, with long integers as they are', async () => {
    await fill(0, ['a', '1', 10], ['a', '2', 30], ['a', '9007199254740993', 50])
    await fill(1, ['b', '3', 20], ['b', '4', 40])
    const topic = await describeTopic(log, 't')
    expect((await tailTopic(log, topic, 3)).map(({ value }) => value)).toEqual([2, 4, 9007199254740993n])
    expect(await tailTopic(log, topic, 99)).toHaveLength(5)
  })

  it('looks back over offsets without records', async () => {
    await fill(0, ['a', '1', 10], ['a', '2', 20])
    cluster.skip({ topic: 't', partition: 0 }, 100)
    const records = await tailTopic(log, await describeTopic(log, 't'), 2)
    expect(records.map(({ offset }) => offset)).toEqual([0, 1])
  })
})

describe('the ranges of a topic', () => {
  beforeEach(async () => {
    await fill(0, ['a', '1', 1000], ['a', '2', 2000], ['a', '3', 3000])
    await fill(1, ['b', '4', 500])
  })

  it.each([
    [
      {},
      [
        [0, 3],
        [0, 1],
      ],
    ],
    [
      { from: '1' },
      [
        [1, 3],
        [1, 1],
      ],
    ],
    [
      { from: '1', to: '2' },
      [
        [1, 2],
        [1, 1],
      ],
    ],
    [
      { from: '@1500', to: '@2500' },
      [
        [1, 2],
        [1, 1],
      ],
    ],
    [
      { from: '-1500ms' },
      [
        [2, 3],
        [1, 1],
      ],
    ],
    [
      { from: '1', to: '+1' },
      [
        [1, 2],
        [1, 1],
      ],
    ],
    [
      { from: 't/0=2' },
      [
        [2, 3],
        [0, 1],
      ],
    ],
    [
      { to: 'latest', from: 'latest' },
      [
        [3, 3],
        [1, 1],
      ],
    ],
    [
      { from: '999' },
      [
        [3, 3],
        [1, 1],
      ],
    ],
  ])('of %j are %j', async (asked, expected) => {
    const ranges = await topicRanges(log, await describeTopic(log, 't'), asked, 4000)
    expect(ranges.map(({ from, to }) => [from, to])).toEqual(expected)
  })

  it.each([
    [{ from: '2', to: '1' }, 'ends at 1, before its start 2'],
    [{ from: 'checkpoint' }, '--from checkpoint means nothing here'],
    [{ to: 't/2=1' }, '--to names t/2'],
    [{ to: 'u/0=1' }, '--to names u/0'],
    [{ to: 'x' }, 'is not a bound'],
  ])('of %j are refused', async (asked, message) => {
    const topic = await describeTopic(log, 't')
    await expect(topicRanges(log, topic, asked, 4000)).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining(message),
    })
  })
})

describe('a topic', () => {
  it('is described with its bounds; one that is not there with names that are near', async () => {
    await fill(1, ['a', '1', 0])
    const [topic] = await describeTopics(log)
    expect(offsetsIn(topic?.bounds ?? [])).toBe(1)
    await log.admin().create({ name: 'flights', partitions: 1 })
    await expect(describeTopic(log, 'fligths')).rejects.toMatchObject({
      code: 'INPUT_MISSING',
      hint: 'Did you mean flights?',
    })
  })

  it('has settings by NAME=VALUE', () => {
    expect(parseSettings(['cleanup.policy=compact', 'a=b=c'])).toEqual({ 'cleanup.policy': 'compact', a: 'b=c' })
    expect(() => parseSettings(['=x'])).toThrow('is not NAME=VALUE')
  })
})
