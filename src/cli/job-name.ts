import { basename } from 'node:path'

/** The job's name where a verb needs no job file: a path stands for the name of its file. */
export function jobName(nameOrPath: string): string {
  return basename(nameOrPath).replace(/\.(ts|mts|js|mjs)$/, '')
}
