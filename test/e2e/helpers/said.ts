import type { Started } from './tidemark.ts'

/** Resolves when a process has written something to stderr that holds `words`. To be called as soon as it is started. */
export function said({ child, ended }: Started, words: string): Promise<void> {
  let text = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (chunk: string) => {
      text += chunk
      if (text.includes(words)) resolve()
    })
    void ended.then(({ status }) => reject(new Error(`it ended with ${status} and had not said ${words}\n${text}`)))
  })
}
