import { describe, expect, it } from 'vitest'
import { lostTransaction } from '../../../../src/adapters/kafka/outside/lost-transaction.ts'
import { commitAfter, delivery } from '../../../contract/outside/commits.ts'

const cause = new Error('the broker answers INVALID_PRODUCER_EPOCH')
const known = commitAfter(null, 'A')
const facts = { cause, known, found: known, openMs: 10, transactionTimeoutMs: 300_000 }

describe('a producer that is fenced', () => {
  it('was overtaken where the record is of another instance, however long it took', () => {
    const found = { ...known, delivery: delivery('B', { runId: 'run 9' }) }
    const error = lostTransaction({ ...facts, found, openMs: 400_000 })
    expect(error).toMatchObject({ code: 'FENCED', exit: 75, message: expect.stringMatching(/instance B .*run 9/) })
  })

  it('was overtaken by another process where the record is a new one of the same instance', () => {
    const claimed = { ...known, delivery: delivery('A', { runId: 'run 9' }) }
    expect(lostTransaction({ ...facts, found: claimed })).toMatchObject({ code: 'FENCED' })
    expect(lostTransaction({ ...facts, found: commitAfter(known, 'A') })).toMatchObject({ code: 'FENCED' })
  })

  it('is being overtaken where nothing has been written yet, and it had not taken long', () => {
    expect(lostTransaction(facts)).toMatchObject({ code: 'FENCED' })
    expect(lostTransaction({ ...facts, found: undefined })).toMatchObject({ code: 'FENCED' })
  })

  it('has taken too long where its transaction was open for longer than it may be', () => {
    const error = lostTransaction({ ...facts, openMs: 301_000 })
    expect(error).toMatchObject({ code: 'LOG_UNREACHABLE', exit: 69, hint: expect.stringContaining('slices smaller') })
    expect(error.message).toContain('5m 1s')
  })
})
