import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchSpool } from '../../../src/adapters/files/batch-spool.ts'
import { csvBlocks } from '../../../src/adapters/files/csv-blocks.ts'
import { csvText } from '../../../src/adapters/files/csv-text.ts'
import { lineBlocks, storedBytes } from '../../../src/adapters/files/line-blocks.ts'
import { OutputFile } from '../../../src/adapters/files/output-file.ts'
import { equalBytes } from '../../../src/core/bytes.ts'
import { holds } from './property.ts'
import { temporaryFolder } from './temporary-folder.ts'

const folder = temporaryFolder()

async function rowsOf(file: string, delimiter?: string) {
  const rows: (readonly string[])[] = []
  const lines: number[] = []
  for await (const block of csvBlocks(file, delimiter)) {
    rows.push(...block.rows)
    lines.push(...block.rows.map((_, row) => block.lineOf(row)))
  }
  return { rows, lines }
}

async function textOf(file: string): Promise<string> {
  let text = ''
  for await (const block of lineBlocks(file)) text += block.text
  return text
}

describe('lines of a file', () => {
  it('come in blocks that end with a line, and are counted', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index} é`)
    const file = await folder.file('many.txt', `${lines.join('\n')}\n`)
    let next = 1
    let blocks = 0
    for await (const block of lineBlocks(file)) {
      expect(block.firstLine).toBe(next)
      expect(block.text.endsWith('\n')).toBe(true)
      next += block.text.split('\n').length - 1
      blocks++
    }
    expect(next).toBe(50_001)
    expect(blocks).toBeGreaterThan(1)
    expect(await textOf(file)).toBe(`${lines.join('\n')}\n`)
  })

  it('are gunzipped by content, whatever the name, also of several members', async () => {
    const file = await folder.file('zipped.txt', Buffer.concat([gzipSync('a\nb'), gzipSync('c\n')]))
    expect(await textOf(file)).toBe('a\nbc\n')
    expect(await textOf(await folder.file('plain.gz', 'not zipped'))).toBe('not zipped')
  })

  it('have no byte order mark and may be none', async () => {
    expect(await textOf(await folder.file('bom.txt', '\ufeffa\n'))).toBe('a\n')
    expect(await textOf(await folder.file('empty.txt', ''))).toBe('')
  })

  it('are refused with their number where they are not UTF-8', async () => {
    const file = await folder.file('latin.csv', Buffer.from('a\nb\n\xe9t\xe9\n', 'latin1'))
    await expect(textOf(file)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: expect.stringContaining('latin.csv:3:'),
    })
  })

  it('are refused where gzip data is cut short', async () => {
    const whole = gzipSync('a,b\n'.repeat(10_000))
    const file = await folder.file('cut.gz', whole.subarray(0, whole.length - 12))
    await expect(textOf(file)).rejects.toMatchObject({ code: 'BAD_DATA', message: expect.stringContaining('cut.gz') })
  })

  it('of a file that is not there are INPUT_MISSING, of a folder USAGE', async () => {
    await expect(textOf(join(folder.path, 'nowhere.csv'))).rejects.toMatchObject({ code: 'INPUT_MISSING' })
    await expect(textOf(folder.path)).rejects.toMatchObject({ code: 'USAGE' })
    expect(() => storedBytes(join(folder.path, 'nowhere.csv'))).toThrow(
      expect.objectContaining({ code: 'INPUT_MISSING' }),
    )
  })
})

describe('rows of csv', () => {
  it('may have quotes, delimiters and ends of lines in their cells', async () => {
    const { rows, lines } = await rowsOf(await folder.file('quoted.csv', 'a,b\n"1,""x""","two\nlines"\n3,4'))
    expect(rows).toEqual([
      ['a', 'b'],
      ['1,"x"', 'two\nlines'],
      ['3', '4'],
    ])
    expect(lines).toEqual([1, 2, 4])
  })

  it('end with CR LF where the first one does', async () => {
    expect((await rowsOf(await folder.file('dos.csv', 'a,b\r\n1,2\r\n'))).rows).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('have another delimiter on request', async () => {
    expect((await rowsOf(await folder.file('tab.csv', 'a\tb\n1,5\t2\n'), '\t')).rows).toEqual([
      ['a', 'b'],
      ['1,5', '2'],
    ])
  })

  it('keep the number of their cells', async () => {
    expect((await rowsOf(await folder.file('ragged.csv', 'a,b\n1\n1,2,3\n'))).rows).toEqual([
      ['a', 'b'],
      ['1'],
      ['1', '2', '3'],
    ])
  })

  it.each([
    ['a,b\n1,"x\n3,4\n', 2],
    ['a,b\n1,2\n"1"x,2\n', 3],
    ['a,b\n"l\nl",1\n1,"x', 4],
  ])('with quotes that do not match are refused with their line: %j', async (text, line) => {
    const file = await folder.file('unquoted.csv', text)
    await expect(rowsOf(file)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: `${file}:${line}: its quotes do not match`,
    })
  })

  it('are what was written, also where a cell reaches over blocks', async () => {
    const cell = fc.oneof(
      { weight: 8, arbitrary: fc.string() },
      { weight: 8, arbitrary: fc.constantFrom('', '"', '\n', ',', 'a\nb', '"x"') },
      { weight: 1, arbitrary: fc.constantFrom(200_000, 300_000).map((length) => 'x\n"'.repeat(length / 3)) },
    )
    const table = fc.integer({ min: 2, max: 4 }).chain((width) => {
      return fc.array(fc.array(cell.filter(isPlain), { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 8,
      })
    })
    await holds(
      table,
      async (rows) => {
        const read = await rowsOf(await folder.file('any.csv', csvText(rows)))
        expect(read.rows).toEqual(rows)
        let line = 1
        expect(read.lines).toEqual(
          rows.map((cells) => {
            const begins = line
            line += 1 + cells.join('').split('\n').length - 1
            return begins
          }),
        )
      },
      40,
    )
  })
})

/** A lone surrogate is not text; a CR before the first end of line, or a mark at the start, says something about the file. */
function isPlain(text: string): boolean {
  return text.isWellFormed() && !/[\r\ufeff]/.test(text)
}

describe('the batch spool', () => {
  const batch = (partition: number, bytes: Uint8Array) => ({ topic: 't', partition, records: partition + 1, bytes })

  it('gives back every batch in order, from memory and from its file', () => {
    const spool = new BatchSpool('t', join(folder.path, 'spool'))
    const batches = Array.from({ length: 11 }, (_, index) => batch(index % 3, Buffer.alloc(4 * 1024 * 1024, index)))
    for (const each of batches) spool.push(each)
    for (const _ of [1, 2]) {
      let index = 0
      for (const each of spool.batches()) {
        const { bytes, ...rest } = batches[index++] as (typeof batches)[number]
        expect({ ...each, bytes: undefined }).toEqual({ ...rest, bytes: undefined })
        expect(equalBytes(bytes, each.bytes)).toBe(true)
      }
      expect(index).toBe(11)
    }
    expect(readdirSync(join(folder.path, 'spool'))).toEqual([])
    spool.clear()
    expect([...spool.batches()]).toEqual([])
    spool.clear()
  })
})

describe('an output file', () => {
  it('has its name when it is whole, and leaves what was there when it is not', async () => {
    const path = await folder.file('out.txt', 'before')
    const given = new OutputFile(path)
    given.write(Buffer.from('half'))
    given.abandon()
    expect(readFileSync(path, 'utf8')).toBe('before')
    const whole = new OutputFile(path)
    whole.write(Buffer.from('whole'))
    expect(readFileSync(path, 'utf8')).toBe('before')
    whole.finish()
    whole.abandon()
    expect(readFileSync(path, 'utf8')).toBe('whole')
    expect(existsSync(`${path}.partial`)).toBe(false)
  })
})
