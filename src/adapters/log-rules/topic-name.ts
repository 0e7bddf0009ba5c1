import { TidemarkError } from '../../core/errors.ts'

const MAX_LENGTH = 249

/** Throws USAGE for a name that Kafka would not accept as a topic's. */
export function checkTopicName(name: string): void {
  if (/^[A-Za-z0-9._-]+$/.test(name) && name.length <= MAX_LENGTH && name !== '.' && name !== '..') return
  throw new TidemarkError('USAGE', `${JSON.stringify(name)} cannot be the name of a topic`, {
    hint: `Topic names are made of letters, digits, '.', '_' and '-', with ${MAX_LENGTH} characters at most.`,
  })
}
