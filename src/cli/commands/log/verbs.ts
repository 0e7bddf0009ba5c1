import type { Verb } from '../../command.ts'

/** The verbs below `log`. */
export const LOG_VERBS: readonly Verb[] = [
  {
    usage: 'list [topic..]',
    summary: 'topics, their partitions and offsets',
    load: async () => (await import('./list.ts')).list,
  },
  { usage: 'create <topic>', summary: 'make a topic', load: async () => (await import('./create.ts')).create },
  {
    usage: 'import <topic> <file>',
    summary: 'append the rows of a csv or jsonl file, plain or gz',
    load: async () => (await import('./import.ts')).importRows,
  },
  {
    usage: 'export <topic>',
    summary: 'write records as jsonl or csv',
    load: async () => (await import('./export.ts')).exportRecords,
  },
  { usage: 'tail <topic>', summary: 'the last records', load: async () => (await import('./tail.ts')).tail },
  {
    usage: 'alter <topic>',
    summary: 'more partitions, other settings',
    load: async () => (await import('./alter.ts')).alter,
  },
  {
    usage: 'trim <topic>',
    summary: 'remove the oldest records',
    load: async () => (await import('./trim.ts')).trim,
  },
  {
    usage: 'compact <topic>',
    summary: 'keep the last record of each key',
    load: async () => (await import('./compact.ts')).compact,
  },
  {
    usage: 'delete <topic>',
    summary: 'remove a topic and its records',
    load: async () => (await import('./delete.ts')).deleteTopic,
  },
]
