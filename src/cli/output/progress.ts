/** How far something has come. */
export interface Progress {
  /** What is done by now, of the total. */
  update(done: number): void
  /** Takes the bar away. May be called twice. */
  stop(): void
}

export const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined }
