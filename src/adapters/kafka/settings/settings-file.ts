import { readFileSync } from 'node:fs'
import { invalidSettings } from './invalid-settings.ts'

/** The text of a file of settings, or of a certificate. Throws CONFIG_INVALID when it cannot be read. */
export function readSettingsFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw invalidSettings(`a file of the connection's settings cannot be read: ${reason}`)
  }
}
