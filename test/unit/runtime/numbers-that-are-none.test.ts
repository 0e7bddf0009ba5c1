import { collect, type JobOptions, job, json, mean, string, topic, topK } from 'tidemark'
import { TestDriver } from 'tidemark/testing'
import { describe, expect, it } from 'vitest'

const readings = topic('readings', { key: string(), value: json<{ readonly n: string }>() })
const out = topic('out', { key: string(), value: json<unknown>() })

const number = ({ n }: { readonly n: string }) => Number(n)

const AGGREGATES = {
  mean: mean(number),
  topK: topK(3, number),
  collect: collect(3, number),
}

function driverOf(name: keyof typeof AGGREGATES, options: JobOptions): Promise<TestDriver> {
  return TestDriver.create(
    job('readings', options, ({ stream }) => {
      const grouped = stream(readings).groupByKey()
      // biome-ignore lint/suspicious/noExplicitAny: one of several aggregates, of one kind of input
      grouped.aggregate<any, any, any>('kept', AGGREGATES[name]).toStream().to(out)
    }),
  )
}

describe.each(Object.keys(AGGREGATES) as (keyof typeof AGGREGATES)[])('a number that is none, in %s', (name) => {
  const records = [
    { key: 'a', value: { n: '4' } },
    { key: 'a', value: { n: 'NA' } },
    { key: 'a', value: { n: '8' } },
  ]

  it('fails the run with its place, before anything is kept of it', async () => {
    const driver = await driverOf(name, {})
    await driver.append(readings, records)
    await expect(driver.process()).rejects.toMatchObject({
      code: 'USER_CODE_FAILED',
      message: expect.stringContaining(`${name} cannot take NaN`),
      at: { step: 'kept', topic: 'readings', partition: 0, offset: 1 },
    })
  })

  it('is left out and counted where the job says so', async () => {
    const driver = await driverOf(name, { onUserError: 'skip' })
    await driver.append(readings, records)
    const { steps } = await driver.endRange()
    expect((await driver.read(out)).at(-1)?.value).toEqual({ mean: 6, topK: [8, 4], collect: [4, 8] }[name])
    expect(JSON.stringify(steps)).toContain('"user-error":1')
  })
})
