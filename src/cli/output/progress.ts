/** How far something has come. */
export interface Progress {
  /** What is done by now, of the total, and how much of it a second, where that is to be shown with the time left. */
  update(done: number, perSecond?: number): void
  /** Takes the bar away. May be called twice. */
  stop(): void
}

export const NO_PROGRESS: Progress = { update: () => undefined, stop: () => undefined }
