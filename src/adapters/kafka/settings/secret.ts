import { inspect } from 'node:util'

/** A text that is never printed by accident: not in a message, not as JSON, not by a debugger's log. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text, for the one place that sends it. */
  reveal(): string {
    return this.#text
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return '***'
  }

  [inspect.custom](): string {
    return '***'
  }
}
