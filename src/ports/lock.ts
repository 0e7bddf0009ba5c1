/** A lock between processes of one machine that dies with its holder. */
export interface Locks {
  /**
   * Takes the lock called `name`, or throws LOCKED at once, naming the holder as far as it is known.
   * `about` is shown to those who are refused; nothing depends on it.
   */
  acquire(name: string, about: string): Lock
}

export interface Lock {
  /** Frees the lock. Calling it twice is allowed. */
  release(): void
}
