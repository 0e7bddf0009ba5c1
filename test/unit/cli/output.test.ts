import { describe, expect, it } from 'vitest'
import { asFailure, failureInWords } from '../../../src/cli/failure.ts'
import { jsonDocument } from '../../../src/cli/output/json.ts'
import { table } from '../../../src/cli/output/table.ts'
import {
  bytesInWords,
  countInWords,
  countOf,
  isoTime,
  isoTimeInWords,
  secondInWords,
  timeInWords,
  tookInWords,
} from '../../../src/cli/output/words.ts'
import { TidemarkError } from '../../../src/core/errors.ts'

describe('words', () => {
  it.each([
    [countInWords(0), '0'],
    [countInWords(999), '999'],
    [countInWords(336_776), '336,776'],
    [countInWords(-1_000_000), '-1,000,000'],
    [countOf(1, 'row'), '1 row'],
    [countOf(2000, 'entry', 'entries'), '2,000 entries'],
    [bytesInWords(812), '812 B'],
    [bytesInWords(999.6e3), '1.0 MB'],
    [bytesInWords(8_203_776), '8.2 MB'],
    [bytesInWords(123_456_789), '123 MB'],
    [timeInWords(1_357_034_400_000), '2013-01-01T10:00Z'],
    [timeInWords(1_357_034_401_000), '2013-01-01T10:00:01Z'],
    [timeInWords(1_357_034_400_001), '2013-01-01T10:00:00.001Z'],
    [isoTime(1_357_034_400_000), '2013-01-01T10:00:00.000Z'],
    [isoTime(9e15), '@9000000000000000'],
    [isoTimeInWords('2013-01-01T10:00:00.000Z'), '2013-01-01T10:00Z'],
    [isoTimeInWords('@9000000000000000'), '@9000000000000000'],
    [secondInWords(1_357_034_400_001), '2013-01-01T10:00:00Z'],
    [secondInWords(9e15), '@9000000000000000'],
    [tookInWords(12), '12ms'],
    [tookInWords(2140), '2.1s'],
    [tookInWords(80_000), '1m 20s'],
  ])('%s', (words, expected) => expect(words).toBe(expected))
})

describe('a table', () => {
  it('is aligned, with numbers to the right and nothing at the ends of lines', () => {
    const drawn = table(
      [{ title: 'name' }, { title: 'count', align: 'right' }, { title: 'note' }],
      [
        ['a', '1', ''],
        ['long name', '1,000', 'é'],
      ],
    )
    expect(drawn).toBe(['name       count  note', 'a              1', 'long name  1,000  é'].join('\n'))
  })

  it('leaves out a column where no cell says anything', () => {
    const columns = [{ title: 'a' }, { title: 'error', idle: '-' }, { title: 'late', idle: '0' }]
    expect(table(columns, [['1', '-', '0']])).toBe(['a', '1'].join('\n'))
    expect(
      table(columns, [
        ['1', '-', '0'],
        ['2', '-', '3'],
      ]),
    ).toBe(['a  late', '1  0', '2  3'].join('\n'))
  })

  it('may have no rows', () => expect(table([{ title: 'a' }], [])).toBe('a'))
})

describe('a JSON document', () => {
  it('is one line, or indented, with bigints as text', () => {
    expect(jsonDocument({ a: 9007199254740993n, b: [1] }, false)).toBe('{"a":"9007199254740993","b":[1]}\n')
    expect(jsonDocument({ a: 1 }, true)).toBe('{\n  "a": 1\n}\n')
  })
})

describe('a failure', () => {
  const plain = { colors: false, debug: false }

  it('is told as message, place, hint and code', () => {
    const error = new TidemarkError('BAD_DATA', 'it is not JSON', {
      hint: 'Mend it.',
      at: { topic: 't', partition: 0, offset: 7 },
    })
    expect(failureInWords(error, plain)).toBe(
      'error: it is not JSON\n   at: t[0]@7\n hint: Mend it.\n code: BAD_DATA (exit status 65)\n',
    )
  })

  it.each([[new Error('boom')], ['boom'], [{ toString: (): string => 'boom' }]])(
    'that nobody foresaw is UNEXPECTED, with its stack on request',
    (thrown) => {
      const failure = asFailure(thrown)
      expect(failure).toMatchObject({ code: 'UNEXPECTED', exit: 70, message: 'boom' })
      expect(failureInWords(failure, plain)).not.toContain('output.test.ts')
      if (thrown instanceof Error)
        expect(failureInWords(failure, { colors: false, debug: true })).toContain('output.test.ts')
    },
  )

  it('that says nothing is told all the same', () => {
    expect(asFailure(new Error('')).message).not.toBe('')
    expect(asFailure(undefined).message).toBe('undefined')
  })
})
