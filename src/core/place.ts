/** Where something happened, as far as it is known. */
export interface Place {
  readonly job?: string
  readonly step?: string
  readonly topic?: string
  readonly partition?: number
  readonly offset?: number
}

/** `job › step › topic[partition]@offset`, without the parts that are not known. */
export function formatPlace(place: Place): string {
  const parts: string[] = []
  if (place.job !== undefined) parts.push(place.job)
  if (place.step !== undefined) parts.push(place.step)
  if (place.topic !== undefined) {
    const partition = place.partition === undefined ? '' : `[${place.partition}]`
    const offset = place.offset === undefined ? '' : `@${place.offset}`
    parts.push(`${place.topic}${partition}${offset}`)
  }
  return parts.join(' › ')
}
