import type { Progress } from './output/progress.ts'

/** A command's way to the person or program that called it. */
export interface Io {
  /** True where `--json` asked for one JSON document on stdout. */
  readonly json: boolean
  /**
   * The command's result, once: the document as JSON with `--json`, else the words. `words` is not called when they are
   * not printed.
   */
  result(document: unknown, words: () => string): void
  /** Bytes for stdout where these are the result themselves (an export). Resolves when more may be written. */
  write(bytes: Uint8Array): Promise<void>
  /**
   * The command's result, once, in pieces that are made while they are written: each is taken before the next is made, and
   * nothing else happens in the process meanwhile.
   */
  pieces(texts: Iterable<string>): void
  /** A line for stdout beside the result. It does not wait: see `taken`. */
  line(text: string): void
  /** Resolves once whoever reads stdout and stderr has taken what was written, but for a little; or the command is to stop. */
  taken(): Promise<void>
  /** A line for people, on stderr. */
  notice(text: string): void
  /** A bar on stderr where that is a terminal, else nothing. */
  progress(total: number, unit: 'bytes' | 'records'): Promise<Progress>
  /** Aborted by SIGINT or SIGTERM; its reason is the TidemarkError to end with. A second signal ends the process. */
  stopSignal(): AbortSignal
  /** Epoch ms. */
  now(): number
}
