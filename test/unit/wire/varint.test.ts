import { describe, expect, it } from 'vitest'
import {
  readVarint,
  readVarlong,
  writeVarint,
  writeVarlong,
  zigzagLongSize,
  zigzagSize,
} from '../../../src/wire/varint.ts'
import { JAVA_VECTORS } from './java-batches.ts'

/** What a reader makes of all of these bytes. */
function read(reader: typeof readVarint, hex: string): number {
  const at = { position: 0 }
  const value = reader(Buffer.from(hex, 'hex'), at, hex.length / 2)
  expect(at.position).toBe(hex.length / 2)
  return value
}

function written(writer: typeof writeVarint, value: number): string {
  const bytes = Buffer.alloc(16)
  return bytes.subarray(0, writer(bytes, 0, value)).toString('hex')
}

describe('32-bit varints', () => {
  const vectors = JAVA_VECTORS.varint.map(([number, hex]) => [Number(number), hex] as const)

  it('are read as the Java client reads them', () => {
    expect(vectors.map(([, hex]) => [read(readVarint, hex), hex])).toEqual(vectors)
  })

  it('are written as the Java client writes them, in as many bytes as were foreseen', () => {
    expect(vectors.map(([number]) => [number, written(writeVarint, number)])).toEqual(vectors)
    expect(vectors.map(([number]) => zigzagSize(number))).toEqual(vectors.map(([, hex]) => hex.length / 2))
  })

  it.each(['', '80', 'ffffffff', 'ffffffffff', 'ffffffff10', '808080808000'])('%s is none', (hex) => {
    expect(() => read(readVarint, hex)).toThrow('does not end')
  })

  it('end where they are told to', () => {
    expect(() => readVarint(Buffer.from('8001', 'hex'), { position: 0 }, 1)).toThrow('does not end')
  })
})

describe('64-bit varints', () => {
  const vectors = JAVA_VECTORS.varlong.map(([number, hex]) => [Number(number), hex] as const)
  const exact = vectors.filter(([number]) => Number.isSafeInteger(number))

  it('are read as the Java client reads them, as far as they are exact integers', () => {
    expect(exact.map(([, hex]) => [read(readVarlong, hex), hex])).toEqual(exact)
  })

  it('are no number beyond the exact integers', () => {
    const inexact = vectors.filter(([number]) => !Number.isSafeInteger(number))
    expect(inexact.map(([, hex]) => read(readVarlong, hex))).toEqual(inexact.map(() => Number.NaN))
    expect(inexact.length).toBeGreaterThan(50)
  })

  it('are written as the Java client writes them, in as many bytes as were foreseen', () => {
    expect(exact.map(([number]) => [number, written(writeVarlong, number)])).toEqual(exact)
    expect(exact.map(([number]) => zigzagLongSize(number))).toEqual(exact.map(([, hex]) => hex.length / 2))
  })

  it.each(['', '80', 'ffffffffffffffffffff', 'ffffffffffffffffff02', '8080808080808080808000'])('%s is none', (hex) => {
    expect(() => read(readVarlong, hex)).toThrow('does not end')
  })
})
