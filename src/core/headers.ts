/** One header: its name and its bytes. Names repeat and order counts. */
export type Header = readonly [name: string, value: Uint8Array | null]

export type Headers = readonly Header[]

export const NO_HEADERS: Headers = Object.freeze([])
