/** The big-endian signed 64-bit integer at `position`: exact, or not a safe integer. The caller checks. */
export function readInt64(bytes: Buffer, position: number): number {
  return bytes.readInt32BE(position) * 0x1_0000_0000 + bytes.readUInt32BE(position + 4)
}

/** Writes a safe integer as a big-endian signed 64-bit integer. */
export function writeInt64(bytes: Buffer, position: number, value: number): void {
  bytes.writeInt32BE(Math.floor(value / 0x1_0000_0000), position)
  bytes.writeUInt32BE(value >>> 0, position + 4)
}
