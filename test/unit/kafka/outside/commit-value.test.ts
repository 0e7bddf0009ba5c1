import { describe, expect, it } from 'vitest'
import { decodeCommit, encodeCommit } from '../../../../src/adapters/kafka/outside/commit-value.ts'

const delivery = { instance: 'A', runId: 'run\n1', leaseUntil: 5, endsRun: true }
const token = { seq: 2, id: 'b', parent: 'a' }
const decode = (value: Uint8Array) => decodeCommit(value, 'tidemark.job.commits', 7)

describe('the value of a commit record', () => {
  it.each([
    ['a checkpoint, byte for byte', { token, checkpoint: Buffer.from('{"a":\n1}\n\0\xff', 'latin1'), delivery }],
    ['an empty checkpoint', { token: { ...token, parent: null }, checkpoint: Buffer.alloc(0), delivery }],
    ['a claim without a commit', { token: null, checkpoint: null, delivery: { ...delivery, endsRun: false } }],
  ])('keeps %s', (_, record) => {
    expect(decode(encodeCommit(record))).toEqual(record)
  })

  it('is a line of JSON for people, and the checkpoint', () => {
    const value = encodeCommit({ token, checkpoint: Buffer.from('{"version":1}'), delivery }).toString()
    expect(value).toBe(`${JSON.stringify({ version: 1, token, delivery })}\n{"version":1}`)
  })

  it.each([
    ['another version', Buffer.from('{"version":2,"token":null}\n'), 'version 2'],
    ['no line', Buffer.from('{"version":1,"token":null,"delivery":{}}'), 'an unknown form'],
    ['no JSON', Buffer.from('binary\n'), 'an unknown form'],
    ['no delivery', Buffer.from('{"version":1,"token":null}\n'), 'version 1'],
    ['nothing', Buffer.alloc(0), 'an unknown form'],
  ])('stops the run where it has %s', (_, value, said) => {
    expect(() => decode(value)).toThrow(
      expect.objectContaining({ code: 'FENCED', exit: 75, message: expect.stringContaining(said) }),
    )
  })
})
