import type { Verb } from './command.ts'

/** Every verb. A file in `commands/` and a line here make one; nothing is loaded before it is called. */
export const VERBS: readonly Verb[] = [
  {
    usage: 'log',
    summary: 'topics: list, create, import, export, tail, delete, alter, trim, compact',
    load: async () => (await import('./commands/log/verbs.ts')).LOG_VERBS,
  },
]
