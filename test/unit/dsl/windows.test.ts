import { hopping, tumbling } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { invalid, nodesOf, numbers } from './topics.ts'

const MINUTE = 60_000
const DAY = 86_400_000

describe('windows', () => {
  it.each([
    [tumbling('1m'), [MINUTE, MINUTE, 0, DAY]],
    [tumbling(500), [500, 500, 0, DAY]],
    [tumbling('1h', { grace: '24h' }), [60 * MINUTE, 60 * MINUTE, DAY, DAY + 60 * MINUTE]],
    [tumbling('5m', { grace: '1m', retention: '6m' }), [5 * MINUTE, 5 * MINUTE, MINUTE, 6 * MINUTE]],
    [hopping('5m', { advance: '1m', retention: '30d' }), [5 * MINUTE, MINUTE, 0, 30 * DAY]],
  ])('%o', (windows, [sizeMs, advanceMs, graceMs, retentionMs]) => {
    expect(windows).toEqual({ kind: 'time', sizeMs, advanceMs, graceMs, retentionMs })
    expect(Object.isFrozen(windows)).toBe(true)
  })

  it.each([
    [() => tumbling('0s'), /a window has no size$/],
    [() => hopping('1m', { advance: '2m' }), /windows of 1m cannot advance by 2m$/],
    [() => hopping('1m', { advance: 0 }), /cannot advance by 0ms$/],
    [() => tumbling('1m', { grace: '1m', retention: '119s' }), /a retention of 1m 59s removes windows/],
    [() => tumbling('soon'), /size "soon" is not a span of time$/],
    [() => tumbling('1m', { grace: -1 }), /grace -1 is not a span of time$/],
  ])('%s is refused', (make, message) => {
    expect(make).toThrowError(expect.objectContaining(invalid(message)))
  })

  it('are kept as long as the aggregate says', () => {
    const kept = (retention: string) =>
      nodesOf(({ stream }) => {
        stream(numbers)
          .groupByKey()
          .windowedBy(tumbling('1m', { grace: '1m' }))
          .count('count', { retention })
      })
    expect(kept('2m').at(-1)).toMatchObject({ windows: { retentionMs: 120_000 }, store: { retentionMs: 120_000 } })
    expect(() => kept('1m')).toThrowError(expect.objectContaining(invalid(/a retention of 1m removes windows/)))
  })
})
