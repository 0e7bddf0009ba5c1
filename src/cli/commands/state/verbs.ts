import type { Verb } from '../../command.ts'

export const STATE_VERBS: readonly Verb[] = [
  {
    usage: '$0 <job> <store>',
    summary: 'read a store: by key, prefix or window',
    load: async () => (await import('./read.ts')).read,
  },
  {
    usage: 'backup <job> <file>',
    summary: 'a consistent copy of the state, while runs go on',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    usage: 'restore <job> [file]',
    summary: 'a backup in place of a lost state, brought up to the last commit',
    load: async () => (await import('./restore.ts')).restore,
  },
]
