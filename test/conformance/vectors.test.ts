import { describe, expect, it } from 'vitest'
import { NOT_YET_KNOWN } from './not-yet-known.ts'
import { runCase } from './run-case.ts'
import { TOPOLOGIES } from './topologies/all.ts'
import { VECTORS_FOLDER, vectorCases, vectorIds } from './vectors.ts'

/** Kafka's store drops rows by whole segments, and counts them so: in these the number is a hint. */
const hintOnly = (id: string) => id.startsWith('stream-stream-') || id === 'process-values-window-store'

/** Ways to run a case that must not make a difference. */
const WAYS = [
  { way: 'in one go', options: {} },
  { way: 'in slices of one record', options: { sliceRecords: 1 } },
  { way: 'with a cache of two entries', options: { cacheEntries: 2 } },
  { way: 'with exchanges that encode and decode', options: { roundTripExchanges: true } },
] as const

const ids = vectorIds()
if (ids === undefined) {
  process.stdout.write(
    `No vectors at ${VECTORS_FOLDER}: conformance is skipped. TIDEMARK_VECTORS names their folder.\n`,
  )
  it('vectors are not here', ({ skip }) => skip('no vectors'))
} else {
  describe('what Kafka Streams says', () => {
    for (const id of ids) {
      const build = TOPOLOGIES[id]
      if (build === undefined) continue
      it.each(WAYS)(`${id} $way`, ({ options }) => {
        for (const { seed, input, dropped, ...expected } of vectorCases(id)) {
          const { dropped: counted, stores, ...result } = runCase(id, build, input, options)
          const named = Object.fromEntries(Object.keys(expected.stores).map((name) => [name, stores[name]]))
          expect({ seed, ...result, stores: named }).toEqual({ seed, ...expected })
          if (!hintOnly(id)) expect({ seed, dropped: counted }).toEqual({ seed, dropped })
        }
      })
    }
  })

  describe('the list of topologies that are not yet known', () => {
    it('names none that is known: take it off the list', () => {
      expect(NOT_YET_KNOWN.filter((id) => TOPOLOGIES[id] !== undefined)).toEqual([])
    })

    it('names all others that have vectors', () => {
      expect(ids.filter((id) => TOPOLOGIES[id] === undefined && !NOT_YET_KNOWN.includes(id))).toEqual([])
    })
  })
}
