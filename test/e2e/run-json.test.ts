import { describe, expect, it } from 'vitest'
import { workplace } from './helpers/tidemark.ts'

describe('run --json', () => {
  const place = workplace()

  it('prints one document, in which a run that had to be finished first has its report too', async () => {
    place.file(
      'jobs/halves.ts',
      `import { job, json, string, topic } from 'tidemark'
      const numbers = topic('numbers', { key: string(), value: json<{ n: number }>() })
      export default job('halves', { sliceRecords: 1 }, ({ stream }) => {
        stream(numbers)
          .peek(({ n }) => {
            if (n % 2 === 1) throw new Error(n + ' is odd')
          })
          .groupByKey()
          .count('counts')
      })
      `,
    )
    place.file('numbers.jsonl', [2, 4, 5, 6, 8].map((n) => `{"id":"a","n":${n}}\n`).join(''))
    await place.json('log', 'import', 'numbers', 'numbers.jsonl', '--key', 'id')

    const failed = await place.run(['run', 'halves', '--to', '4', '--json'])
    expect(failed.status).toBe(70)
    expect(JSON.parse(failed.stdout)).toMatchObject({ status: 'failed', records: 2, attempt: 1 })

    const ended = await place.json<{ finishedFirst: unknown[] }>('run', 'halves', '--skip', 'numbers/0@2')
    expect(ended).toMatchObject({ status: 'done', records: 1, attempt: 1, outcome: 'ran' })
    expect(ended.finishedFirst).toMatchObject([{ status: 'done', records: 4, attempt: 2, skipped: 1 }])

    expect(await place.json('run', 'halves')).not.toHaveProperty('finishedFirst')
  })
})
