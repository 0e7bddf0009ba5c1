import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { workplace } from './helpers/tidemark.ts'

const FLIGHTS = `carrier,flight,dep_delay,tailnum,time_hour
UA,1545,2,N14228,2013-01-01T10:00:00Z
AA,1141,NA,,2013-01-01T10:00:00Z
UA,1714,-4.5,00123,2013-01-01T11:00:00Z
`

interface ImportDocument {
  readonly topic: string
  readonly rows: number
  readonly imported: boolean
  readonly timestamps: { readonly from: string; readonly first: string; readonly last: string }
  readonly partitions: readonly { readonly partition: number; readonly rows: number; readonly end: number }[]
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly notices: readonly string[]
}

interface TailDocument {
  readonly records: readonly { readonly key: string | null; readonly value: unknown; readonly timestamp: string }[]
}

describe('tidemark log import', () => {
  const place = workplace()

  it('makes the topic and says what it did, in words and as one document', async () => {
    place.file('flights.csv.gz', gzipSync(FLIGHTS))
    const args = ['flights.csv.gz', '--key', 'carrier', '--timestamp', 'time_hour', '--null', 'NA', '--partitions', '3']
    const report = await place.json<ImportDocument>('log', 'import', 'flights', ...args)
    expect(report).toMatchObject({ topic: 'flights', rows: 3, imported: true, notices: [] })
    expect(report.timestamps).toEqual({
      from: 'time_hour',
      first: '2013-01-01T10:00:00.000Z',
      last: '2013-01-01T11:00:00.000Z',
    })
    expect(report.columns.map(({ type }) => type)).toEqual(['string', 'integer', 'number', 'string', 'string'])
    expect(report.partitions.reduce((sum, { rows }) => sum + rows, 0)).toBe(3)

    const { records } = await place.json<TailDocument>('log', 'tail', 'flights')
    expect(records).toHaveLength(3)
    expect(records.find(({ key }) => key === 'AA')?.value).toEqual({
      carrier: 'AA',
      flight: 1141,
      dep_delay: null,
      tailnum: null,
      time_hour: '2013-01-01T10:00:00Z',
    })
    const again = await place.run(['log', 'import', 'flights', ...args])
    expect(again).toMatchObject({ status: 0, stderr: '' })
    expect(again.stdout).toContain('Imported 3 rows of flights.csv.gz into flights (3 partitions)')
    expect(again.stdout).toContain('2013-01-01T10:00Z to 2013-01-01T11:00Z')
  })

  it('can be repeated with --if-empty', async () => {
    place.file('airlines.csv', 'carrier,name\nUA,United Air Lines Inc.\n')
    const args = [
      'log',
      'import',
      'airlines',
      'airlines.csv',
      '--key',
      'carrier',
      '--timestamp',
      '2012-12-01',
      '--if-empty',
    ]
    expect(await place.json<ImportDocument>(...args)).toMatchObject({ imported: true, rows: 1 })
    const again = await place.json<ImportDocument>(...args)
    expect(again).toMatchObject({ imported: false, rows: 0, partitions: [{ partition: 0, rows: 0, end: 1 }] })
    expect(again.notices).toEqual(['airlines has had 1 record already: nothing was imported.'])
  })

  it('says that it took the time of the import where none was named', async () => {
    place.file('plain.jsonl', '{"a":1}\n')
    const report = await place.json<ImportDocument>('log', 'import', 'plain', 'plain.jsonl')
    expect(report.timestamps.from).toBe('clock')
    expect(report.notices[0]).toContain('time of this import')
  })

  it('names bad rows with file and line, and imports nothing', async () => {
    place.file('bad.csv', 'a,b\n1,2\n3\n4,5,6\n')
    const { status, stdout, stderr } = await place.run(['log', 'import', 'bad', 'bad.csv'])
    expect({ status, stdout }).toEqual({ status: 65, stdout: '' })
    expect(stderr).toContain('bad.csv:3: 1 cell, and the header has 2')
    expect(stderr).toContain('bad.csv:4: 3 cells, and the header has 2')
    expect(stderr).toContain('Nothing was imported')
    const { topics } = await place.json<{ topics: { name: string }[] }>('log', 'list')
    expect(topics.map(({ name }) => name)).not.toContain('bad')
  })

  it.each([
    [['nowhere.csv'], 66, 'there is no file nowhere.csv'],
    [['flights.csv.gz', '--key', 'carier'], 64, 'the file has no column "carier"'],
    [['flights.csv.gz', '--timestamp', 'yesterday'], 64, 'neither a column nor a time'],
    [['flights.csv.gz', '--partitions', '7'], 64, 'flights has 3 partitions, not 7'],
    [['flights.csv.gz', '--types', 'flight:int'], 64, 'is not COLUMN:TYPE'],
    [
      ['flights.csv.gz', '--types', 'tailnum:integer'],
      65,
      'flights.csv.gz:2: "N14228" in column tailnum is not an integer',
    ],
    [['flights.csv.gz', '--key', 'carrier', '--key', 'flight'], 64, '--key is given twice'],
    [['flights.csv.gz', '--partitions', '0'], 64, 'cannot have 0 partitions'],
    [['flights.csv.gz', '--partitions'], 64, '--partitions has no value'],
    [['flights.csv.gz', '--kee', 'carrier'], 64, 'unknown argument'],
    [['LICENSE'], 64, '--format csv'],
  ])('refuses %j with status %i', async (args, status, message) => {
    const ended = await place.run(['log', 'import', 'flights', ...args])
    expect(ended).toMatchObject({ status, stdout: '' })
    expect(ended.stderr).toContain(message)
  })
})

describe('tidemark log export', () => {
  const place = workplace()
  const lines = ['{"n":9007199254740993,"t":"a\\"b"}', '"text"', '[1, 2]', '{"n":1,"more":{"x":null}}']

  it('gives back what was imported, as jsonl and as csv, plain and gz', async () => {
    place.file('in.jsonl', `${lines.join('\n')}\n`)
    await place.json('log', 'import', 't', 'in.jsonl', '--timestamp', '@1000')
    const values = await place.run(['log', 'export', 't', '--values'])
    expect(values.stdout).toBe(`${lines.join('\n')}\n`)
    expect(values.stderr).toContain('Exported 4 records of t.')

    const whole = await place.run(['log', 'export', 't', '--from', '1', '--to', '2'])
    expect(whole.stdout).toBe(
      '{"partition":0,"offset":1,"timestamp":"1970-01-01T00:00:01.000Z","key":null,"value":"text"}\n',
    )
    expect(await place.json('log', 'export', 't', '--out', 'out/t.csv.gz')).toMatchObject({ records: 4, format: 'csv' })
    const { readFileSync } = await import('node:fs')
    expect(
      gunzipSync(readFileSync(`${place.path}/out/t.csv.gz`))
        .toString()
        .split('\n'),
    ).toEqual([
      'partition,offset,timestamp,key,n,t,more,value',
      '0,0,1970-01-01T00:00:01.000Z,,9007199254740993,"a""b",,',
      '0,1,1970-01-01T00:00:01.000Z,,,,,"""text"""',
      '0,2,1970-01-01T00:00:01.000Z,,,,,"[1, 2]"',
      '0,3,1970-01-01T00:00:01.000Z,,1,,"{""x"":null}",',
      '',
    ])
  })

  it('refuses --json without a file, and a range that is none', async () => {
    expect(await place.run(['log', 'export', 't', '--json'])).toMatchObject({ status: 64 })
    expect(await place.run(['log', 'export', 't', '--from', '3', '--to', '1'])).toMatchObject({ status: 64 })
    expect(await place.run(['log', 'export', 't', '--from', 'checkpoint'])).toMatchObject({ status: 64 })
  })
})

describe('tidemark log', () => {
  const place = workplace()

  it('makes, shows, alters, trims, compacts and removes topics', async () => {
    expect(await place.run(['log', 'list'])).toMatchObject({ status: 69, stdout: '' })
    expect(
      await place.json('log', 'create', 't', '--partitions', '2', '--set', 'cleanup.policy=compact'),
    ).toMatchObject({
      created: true,
      name: 't',
      partitions: 2,
    })
    expect(await place.run(['log', 'create', 't'])).toMatchObject({ status: 64 })
    expect(await place.json('log', 'create', 't', '--if-missing')).toMatchObject({ created: false })
    place.file('rows.jsonl', ['{"k":"a","v":1}', '{"k":"b","v":2}', '{"k":"a","v":3}'].join('\n'))
    await place.json('log', 'import', 't', 'rows.jsonl', '--key', 'k', '--timestamp', '2013-01-01')

    await place.json('log', 'compact', 't', '--yes')
    const left = await place.json<TailDocument>('log', 'tail', 't')
    expect(left.records.map(({ value }) => value)).toEqual(
      expect.arrayContaining([
        { k: 'b', v: 2 },
        { k: 'a', v: 3 },
      ]),
    )
    expect(left.records).toHaveLength(2)

    await place.json('log', 'alter', 't', '--partitions', '3', '--set', 'retention.ms=1000', '--yes')
    const listed = await place.json<{ topics: unknown[] }>('log', 'list', 't')
    expect(listed.topics).toMatchObject([{ name: 't', partitions: 3, settings: { 'retention.ms': '1000' } }])

    await place.json('log', 'trim', 't', '--before', '2013-01-02', '--yes')
    expect(await place.json<TailDocument>('log', 'tail', 't')).toMatchObject({ records: [] })
    await place.json('log', 'delete', 't', '--yes')
    expect(await place.run(['log', 'tail', 't'])).toMatchObject({ status: 66, stdout: '' })
  })

  it.each([['delete'], ['compact'], ['trim', '--before', 'latest'], ['alter', '--partitions', '5']])(
    'does not %s without --yes, and says what it would do',
    async (verb, ...options) => {
      await place.json('log', 'create', 'kept', '--if-missing')
      const { status, stdout } = await place.run(['log', verb, 'kept', ...options])
      expect(status).toBe(0)
      expect(stdout).toMatch(/kept would|This would remove/)
      expect(stdout).toContain('nothing is changed yet: say --yes to do it')
      expect(await place.json('log', verb, 'kept', ...options)).toMatchObject({ done: false })
      expect(await place.json('log', 'list', 'kept')).toMatchObject({ topics: [{ partitions: 1 }] })
    },
  )

  it('is one that Tidemark knows', async () => {
    const { status, stderr } = await place.run(['log', 'list'], { TIDEMARK_LOG: 'redis://localhost:6379' })
    expect(status).toBe(78)
    expect(stderr).toContain('sqlite:PATH')
  })

  it('lies where --log or TIDEMARK_LOG says', async () => {
    await place.json('log', 'create', 'here', '--log', 'sqlite:other.db')
    const { status, stdout } = await place.run(['log', 'list', '--json'], { TIDEMARK_LOG: 'sqlite:other.db' })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ log: 'sqlite:other.db', topics: [{ name: 'here' }] })
  })
})
