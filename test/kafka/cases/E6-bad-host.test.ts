import { describe, expect, it } from 'vitest'
import { KafkaField } from '../support/kafka-field.ts'

describe('E6: a broker that is not there', () => {
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
})
