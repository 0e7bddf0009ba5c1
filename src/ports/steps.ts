/** The numbered steps of a commit, in order. A crash between any two of them loses nothing and repeats nothing. */
export const COMMIT_STEPS = [
  'process', // records are read and processed; outputs are encoded
  'send', // outputs are sent inside an open outside transaction
  'acknowledge', // all sends are acknowledged, or the slice is given up with the state untouched
  'store-begin', // BEGIN IMMEDIATE, unless the write-behind spilled and it is open already
  'store-write', // store writes, checkpoint with the new token, outbox, run row
  'store-commit', // COMMIT: from here on the slice is decided
  'outside-commit', // the commit record goes into the outside transaction, which is committed
  'delivered', // the outside has it; the outbox is dropped with the next slice
] as const

export type CommitStep = (typeof COMMIT_STEPS)[number]

/** What a switch to another generation does beside commits, in order. A crash between any two of them loses nothing. */
export const SWITCH_STEPS = [
  'catch-up', // the generation that is to be live replays what it lacks
  'compare', // the gates are asked
  'keep-outputs', // what is published is written down, to be corrected now and to come back to later
  'write-changelogs', // its stores are written whole
  'switch', // one slice of it, with the steps of a commit, takes the place of the live one's last
  'adopt', // `job.db` is told
  'correct', // what is published wrongly is published anew, in slices with the steps of commits
  'clean', // generations that were live long ago are removed
] as const

export type SwitchStep = (typeof SWITCH_STEPS)[number]

/** Told of each step before it is entered. Crash tests end the process, or throw, from here. */
export interface StepObserver {
  enter(step: CommitStep | SwitchStep): void
}
