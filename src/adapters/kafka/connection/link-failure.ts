/** A broker could not be asked, or did not answer: it may be down, elsewhere or busy. Asking again may help. */
export class LinkFailure extends Error {
  constructor(address: string, reason: string, cause?: unknown) {
    super(`${address}: ${reason}`, cause === undefined ? undefined : { cause })
    this.name = 'LinkFailure'
  }
}
