import type { Hook } from '../core/hook.ts'

/** Tells those who asked to be told. */
export interface Hooks {
  /**
   * Calls the hook with a document as JSON. Rejects with IO_FAILED where it cannot be called, says no (exit status, HTTP
   * status), or has not answered after half a minute.
   */
  call(hook: Hook, document: unknown): Promise<void>
}
