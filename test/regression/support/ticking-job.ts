import { existsSync, writeFileSync } from 'node:fs'
import { type Job, job, json, string, topic } from 'tidemark'

const records = topic('in', { key: string(), value: json<number>() })
const copies = topic('out', { key: string(), value: json<number>() })
const { CASE_SCHEDULE = '* * * * * *' } = process.env

/**
 * Copies, at every second or as `CASE_SCHEDULE` says. At a record with the key `wait` its code writes a file `working` and
 * stands still until there is one called `go`.
 */
const ticking: Job = job('ticking', { schedule: CASE_SCHEDULE, sliceRecords: 1 }, ({ stream }) => {
  stream(records)
    .peek((_, key) => {
      if (key === 'wait') standStill()
    })
    .to(copies)
})

function standStill(): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  writeFileSync('working', '')
  while (!existsSync('go')) Atomics.wait(sleeper, 0, 0, 5)
  Atomics.wait(sleeper, 0, 0, 250)
}

// biome-ignore lint/style/noDefaultExport: a job file is loaded by its default export
export default ticking
