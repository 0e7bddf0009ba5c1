import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MemoryLog } from '../../../src/adapters/memory/log.ts'
import { MemoryCluster } from '../../../src/adapters/memory/log-cluster.ts'
import type { ColumnType } from '../../../src/cli/import/cell-type.ts'
import { importFile } from '../../../src/cli/import/import-file.ts'
import type { ImportRequest } from '../../../src/cli/import/import-request.ts'
import { describeTopic } from '../../../src/cli/topics/describe-topic.ts'
import { tailTopic } from '../../../src/cli/topics/tail-topic.ts'
import { openFiles } from '../../../src/compose.ts'
import { utf8ByteString } from '../../../src/core/bytes.ts'
import { TidemarkError } from '../../../src/core/errors.ts'
import type { Log } from '../../../src/ports/log.ts'
import { countedIds } from '../../../src/testing/counted-ids.ts'
import { partitionOf } from '../../../src/wire/murmur2.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { testIo } from './test-io.ts'

const folder = temporaryFolder()

const REQUEST: Omit<ImportRequest, 'file'> = {
  topic: 't',
  format: 'csv',
  key: [],
  keySeparator: '|',
  timestamp: '@1000',
  partitions: undefined,
  delimiter: ',',
  columns: { types: new Map<string, ColumnType>(), nullText: undefined },
  ifEmpty: false,
  spoolFolder: join(folder.path, 'spool'),
}

const memoryLog = (): Log => new MemoryLog(new MemoryCluster(countedIds()))

async function importText(log: Log, text: string, request: Partial<ImportRequest> = {}, io = testIo()) {
  const file = await folder.file(`rows.${request.format ?? 'csv'}`, text)
  return await importFile({ ...REQUEST, file, ...request }, log, await openFiles(), io)
}

async function valuesIn(log: Log, count = 100) {
  return (await tailTopic(log, await describeTopic(log, 't'), count)).map(({ value }) => value)
}

describe('an import', () => {
  it('puts records where Kafka puts their keys, and those without key in turn', async () => {
    const keys = ['UA', 'AA', '9E', 'é', 'MQ', 'B6']
    const log = memoryLog()
    await importText(log, `k\n${keys.join('\n')}\n`, { key: ['k'], partitions: 4 })
    const found = await tailTopic(log, await describeTopic(log, 't'), 100)
    expect(found.map(({ key, partition }) => [key, partition]).sort()).toEqual(
      keys.map((key) => [key, partitionOf(utf8ByteString(key), 4)]).sort(),
    )
    const other = memoryLog()
    const report = await importText(other, 'n\n1\n2\n3\n4\n', { partitions: 3 })
    expect(report.partitions.map(({ rows }) => rows)).toEqual([2, 1, 1])
  })

  it('joins the columns of a key, and refuses what would make two keys one', async () => {
    const log = memoryLog()
    await importText(log, 'a,b\nx,1\n', { key: ['b', 'a'] })
    expect((await tailTopic(log, await describeTopic(log, 't'), 1))[0]?.key).toBe('1|x')
    await expect(importText(log, 'a,b\nx|y,1\n', { key: ['a', 'b'] })).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining("rows.csv:2: the key's column a holds the separator |"),
    })
    await expect(importText(log, 'a,b\n,1\n', { key: ['a', 'b'] })).rejects.toMatchObject({ code: 'BAD_DATA' })
  })

  it('counts the rows without key', async () => {
    const log = memoryLog()
    const report = await importText(log, 'k,v\na,1\n,2\nNA,3\n', {
      key: ['k'],
      columns: { types: new Map(), nullText: 'NA' },
    })
    expect(report).toMatchObject({ rows: 3, withoutKey: 2 })
    expect(report.notices).toEqual(['2 records have no key: their k is empty.'])
  })

  it('encodes all rows by the type that the whole column has, however late it shows', async () => {
    const log = memoryLog()
    const numbers = Array.from({ length: 60_000 }, (_, index) => `${index},1.5`)
    const report = await importText(log, `id,x\n${numbers.join('\n')}\nA1,2\n`)
    expect(report).toMatchObject({
      rows: 60_001,
      columns: [
        { name: 'id', type: 'string' },
        { name: 'x', type: 'number' },
      ],
    })
    expect(await valuesIn(log, 2)).toEqual([
      { id: '59999', x: 1.5 },
      { id: 'A1', x: 2 },
    ])
    const all = await valuesIn(log, 60_001)
    expect(all[0]).toEqual({ id: '0', x: 1.5 })
    expect(all).toHaveLength(60_001)
  })

  it('takes jsonl as it stands', async () => {
    const log = memoryLog()
    const report = await importText(log, '{"k": 7, "at": "2013-01-01T00:00Z"}\r\n\n[1]\n', {
      format: 'jsonl',
      timestamp: '2013-01-02',
    })
    expect(report).toMatchObject({ rows: 2, columns: [] })
    expect(await valuesIn(log)).toEqual([{ k: 7, at: '2013-01-01T00:00Z' }, [1]])
  })

  it.each([
    ['{"k":1', 'it is not JSON'],
    ['null', 'null is not a value'],
    ['{"a":1}', 'it has no field k'],
    ['[1]', 'it has no field k'],
    ['{"k":{}}', 'field k is neither text nor a number'],
    ['{"k":9007199254740993}', 'the number in field k is too large'],
  ])('names the line of %s', async (line, problem) => {
    const log = memoryLog()
    await expect(importText(log, `{"k":1}\n\n${line}\n`, { format: 'jsonl', key: ['k'] })).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining(`rows.jsonl:3: ${problem}`),
    })
    expect(await log.describe()).toEqual([])
  })

  it.each([
    ['a,a\n1,2\n', 'rows.csv:1: the header has the column a twice'],
    ['a,\n1,2\n', 'rows.csv:1: the header has a column without a name'],
    ['a,b\n"x\ny",1\n1\n', 'rows.csv:4: 1 cell, and the header has 2'],
  ])('names the line of %j', async (text, message) => {
    const log = memoryLog()
    await expect(importText(log, text)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining(message),
    })
  })

  it('names the first bad rows and stops there', async () => {
    const log = memoryLog()
    const failed = importText(log, `at\n${'yesterday\n'.repeat(100)}`, { timestamp: 'at' })
    await expect(failed).rejects.toThrow(/rows\.csv:2: .*rows\.csv:6: [^:]*and more$/s)
  })

  it('says when times look like seconds', async () => {
    const log = memoryLog()
    const report = await importText(log, 'at\n1357034400\n1357034401\n', { timestamp: 'at' })
    expect(report.notices).toEqual(['The numbers in at were read as milliseconds; they look like seconds.'])
  })

  it('leaves nothing behind when the log refuses the records', async () => {
    const log = memoryLog()
    const large = `{"a":"${'x'.repeat(2_000_000)}"}`
    await expect(importText(log, `{"a":1}\n${large}\n`, { format: 'jsonl' })).rejects.toMatchObject({
      code: 'OUTPUT_REFUSED',
    })
    expect(await log.describe()).toEqual([])
  })

  it('stops when it is asked to', async () => {
    const log = memoryLog()
    const io = testIo()
    io.stop(new TidemarkError('INTERRUPTED', 'stopped by SIGINT'))
    await expect(importText(log, 'a\n1\n', {}, io)).rejects.toMatchObject({ code: 'INTERRUPTED' })
    expect(await log.describe()).toEqual([])
  })

  it('takes a file without rows', async () => {
    const log = memoryLog()
    expect(await importText(log, 'a,b\n')).toMatchObject({ rows: 0, created: true, timestamps: { first: null } })
    await expect(importText(log, '')).resolves.toMatchObject({ rows: 0 })
  })
})
