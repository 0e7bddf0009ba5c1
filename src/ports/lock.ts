/** A lock between processes of one machine that dies with its holder: there is no time-out and nothing to clean up. */
export interface Locks {
  /**
   * Takes the lock called `name` (`job` or `job/generation`), or throws LOCKED at once, naming the holder as far as it
   * is known. It is held against everyone, this process too. `about` is shown to those who are refused; nothing depends
   * on it.
   */
  acquire(name: string, about: string): Lock
}

export interface Lock {
  /** Frees the lock. Calling it twice is allowed. */
  release(): void
}
