/** A bound on how much is done at once. Who waits longest comes next. */
export class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves to what gives the place back (once is enough), or to null when `signal` is aborted before there is one. */
  async take(signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null
    if (this.#free > 0) this.#free--
    else if (!(await this.#wait(signal))) return null
    let taken = true
    return () => {
      if (!taken) return
      taken = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#free++
      else next()
    }
  }

  #wait(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const granted = () => {
        signal.removeEventListener('abort', aborted)
        resolve(true)
      }
      const aborted = () => {
        this.#waiting.splice(this.#waiting.indexOf(granted), 1)
        resolve(false)
      }
      this.#waiting.push(granted)
      signal.addEventListener('abort', aborted, { once: true })
    })
  }
}
