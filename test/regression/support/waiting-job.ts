import { existsSync, writeFileSync } from 'node:fs'
import { type Job, job, json, string, topic } from 'tidemark'

const records = topic('in', { key: string(), value: json<number>() })
const counts = topic('out', { key: string(), value: json<number>() })
const { CASE_WAIT_AT, CASE_SLICE = '100000' } = process.env

/**
 * Counts by key. At the record with the key `CASE_WAIT_AT` its code writes a file `working` and stands still until there
 * is one called `go`, and a little longer than the runner goes without looking at signals.
 */
const waiting: Job = job('waiting', { sliceRecords: Number(CASE_SLICE) }, ({ stream }) => {
  stream(records)
    .peek((value, key) => {
      if (key === CASE_WAIT_AT && value > 0) standStill()
    })
    .groupByKey()
    .count('counts')
    .toStream()
    .to(counts)
})

function standStill(): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  writeFileSync('working', '')
  while (!existsSync('go')) Atomics.wait(sleeper, 0, 0, 5)
  Atomics.wait(sleeper, 0, 0, 250)
}

// biome-ignore lint/style/noDefaultExport: a job file is loaded by its default export
export default waiting
