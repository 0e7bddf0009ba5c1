import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { workplace } from '../../e2e/helpers/tidemark.ts'
import { KafkaField } from '../support/kafka-field.ts'

const JOB = fileURLToPath(new URL('../support/case-job.ts', import.meta.url))

describe('E6: a broker that is not there', () => {
  const place = workplace()

  it.each([
    ['a port where nobody listens', '127.0.0.1:1'],
    ['a name that means nothing', 'no-such-host.invalid:9092'],
    ['several of them', '127.0.0.1:1,no-such-host.invalid'],
  ])('%s ends the run with its own status, within the limit for connecting', async (_, bootstrap) => {
    const field = new KafkaField(bootstrap, '&connect-timeout=300ms')
    const error = await field.fail(field.counting())
    expect(error).toMatchObject({ code: 'LOG_UNREACHABLE', exit: 69, hint: expect.any(String) })
    for (const host of bootstrap.split(',')) expect(error.message).toContain(host.split(':')[0])
    expect(field.positions()).toBeNull()
  })

  it('ends the process with status 69', async () => {
    const log = 'kafka://no-such-host.invalid:9092?connect-timeout=300ms'
    const { status, stdout, stderr } = await place.run(['run', JOB, '--json', '--log', log], { CASE_NAME: 'nowhere' })
    expect({ status, stderr }).toMatchObject({ status: 69, stderr: expect.stringContaining('no-such-host.invalid') })
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'LOG_UNREACHABLE' } })
  })
})
