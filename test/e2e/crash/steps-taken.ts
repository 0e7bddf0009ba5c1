import { readFileSync, watch, writeFileSync } from 'node:fs'
import type { Started } from '../helpers/tidemark.ts'

/** The steps that a process has written to its step file so far, whole lines only. */
export function stepsTaken(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

/** Makes an empty step file. */
export function newStepFile(path: string): string {
  writeFileSync(path, '')
  return path
}

/** Waits until the step file shows what `enough` looks for: true; or until the process has ended before that: false. */
export async function until(
  path: string,
  { ended }: Started,
  enough: (steps: readonly string[]) => boolean,
): Promise<boolean> {
  const watcher = watch(path)
  try {
    return await new Promise((resolve, reject) => {
      const look = () => {
        if (enough(stepsTaken(path))) resolve(true)
      }
      watcher.on('change', look).on('error', reject)
      ended.then(() => resolve(false), reject)
      look()
    })
  } finally {
    watcher.close()
  }
}
