import { describe, expect, it } from 'vitest'
import { utf8ByteString } from '../../../src/core/bytes.ts'
import { murmur2, partitionOf } from '../../../src/wire/murmur2.ts'
import { JAVA_VECTORS } from './java-batches.ts'

describe('the partition of a key', () => {
  it.each([
    ['100:48069', 12, 9],
    ['wu', 10, 0],
    ['foobar', 3, 0],
    ['a', 12, 4],
    ['bob', 3, 0],
  ])('C5: is that of the Java client: %s of %i is in %i', (key, partitions, partition) => {
    expect(partitionOf(utf8ByteString(key), partitions)).toBe(partition)
  })

  it('is that of the Java client for binary keys of every length', () => {
    const answers = JAVA_VECTORS.murmur2.map(([hex]) => {
      const key = Buffer.from(hex, 'hex').toString('latin1')
      return [hex, murmur2(key), partitionOf(key, 12)]
    })
    expect(answers).toEqual(JAVA_VECTORS.murmur2)
  })
})
