/** One JSON document with an end of line: indented for people where stdout is a terminal. BigInts become numbers as text. */
export function jsonDocument(document: unknown, indented: boolean): string {
  return `${JSON.stringify(document, bigintAsText, indented ? 2 : undefined)}\n`
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
