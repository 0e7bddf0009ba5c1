import { adding } from './chaos-jobs.ts'

const { CHAOS_INPUT: input = '', CHAOS_COPY: copy = '' } = process.env

// biome-ignore lint/style/noDefaultExport: a job file is loaded by its default export
export default adding({ input, copy })
