/** A count with its noun, for messages: `1 partition`, `3 partitions`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
