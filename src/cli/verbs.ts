import type { Verb } from './command.ts'

/** Every verb. A file in `commands/` and a line here make one; nothing is loaded before it is called. */
export const VERBS: readonly Verb[] = [
  {
    usage: 'run <job>',
    summary: 'run a job from its checkpoint to now, or a range of its own',
    load: async () => (await import('./commands/run.ts')).run,
  },
  {
    usage: 'backfill <job>',
    summary: 'run a job over a stretch of history, part by part, beside the live one',
    load: async () => (await import('./commands/backfill.ts')).backfill,
  },
  {
    usage: 'plan <job>',
    summary: 'the ranges that run would take',
    load: async () => (await import('./commands/plan.ts')).plan,
  },
  {
    usage: 'stream <job>',
    summary: 'run a job without end, on what comes, until it is stopped',
    load: async () => (await import('./commands/stream.ts')).stream,
  },
  {
    usage: 'schedule [job..]',
    summary: 'run jobs by their schedules, or what is due of them',
    load: async () => (await import('./commands/schedule.ts')).schedule,
  },
  {
    usage: 'slots <job>',
    summary: "the slots of a job's schedule, newest first, and which run covered them",
    load: async () => (await import('./commands/slots.ts')).slots,
  },
  {
    usage: 'pause <job>',
    summary: 'have a job make no scheduled runs',
    load: async () => (await import('./commands/pause.ts')).pause,
  },
  {
    usage: 'resume <job>',
    summary: 'end the pause of a job',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  {
    usage: 'reprocess <job>',
    summary: 'replay the history of a job beside it, with another version of it',
    load: async () => (await import('./commands/reprocess.ts')).reprocess,
  },
  {
    usage: 'diff <job> <generation>',
    summary: 'where a reprocessing differs from the live generation',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    usage: 'switch <job> <generation>',
    summary: 'make a reprocessing live, and correct what was published',
    load: async () => (await import('./commands/switch.ts')).switchTo,
  },
  {
    usage: 'rollback <job>',
    summary: 'go back to the generation that was live before',
    load: async () => (await import('./commands/rollback.ts')).rollback,
  },
  {
    usage: 'status',
    summary: 'how every job stands',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    usage: 'runs <job>',
    summary: 'the runs of a job, newest first',
    load: async () => (await import('./commands/runs.ts')).runs,
  },
  {
    usage: 'show <run>',
    summary: 'one run, with its plan',
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    usage: 'coverage <job>',
    summary: 'which offsets the runs have processed, and what is missing between them',
    load: async () => (await import('./commands/coverage.ts')).coverage,
  },
  {
    usage: 'verify <job>',
    summary: 'replay what the runs of a job have done, and compare',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  {
    usage: 'explain <job> <store> <key>',
    summary: 'which records made a row of a store what it is',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    usage: 'state',
    summary: "a job's stores: read, backup, restore",
    load: async () => (await import('./commands/state/verbs.ts')).STATE_VERBS,
  },
  {
    usage: 'checkpoint <job> [action]',
    summary: 'show the checkpoint, or set it',
    load: async () => (await import('./commands/checkpoint.ts')).checkpoint,
  },
  {
    usage: 'describe <job>',
    summary: "a job's topology: text, mermaid, json",
    load: async () => (await import('./commands/describe.ts')).describe,
  },
  {
    usage: 'reset <job>',
    summary: 'start a job over: its state, its stream time, its outputs',
    load: async () => (await import('./commands/reset.ts')).reset,
  },
  {
    usage: 'log',
    summary: 'topics: list, create, import, export, tail, delete, alter, trim, compact',
    load: async () => (await import('./commands/log/verbs.ts')).LOG_VERBS,
  },
]
