import { existsSync, writeFileSync } from 'node:fs'
import { type Job, job, json, string, topic } from 'tidemark'

const { CASE_NAME = '', CASE_WAIT_AT, CASE_SLICE = '100000' } = process.env

/**
 * Counts by key, and writes each count. At the record with the key `CASE_WAIT_AT` its code writes a file `working` and
 * stands still until there is one called `go`.
 */
const counting: Job = job(`counting-${CASE_NAME}`, { sliceRecords: Number(CASE_SLICE) }, ({ stream }) => {
  stream(topic(`in-${CASE_NAME}`, { key: string(), value: json<number>() }))
    .peek((_, key) => {
      if (key === CASE_WAIT_AT && !existsSync('go')) standStill()
    })
    .groupByKey()
    .count('counts')
    .toStream()
    .to(topic(`out-${CASE_NAME}`, { key: string(), value: json<number>() }))
})

function standStill(): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4))
  writeFileSync('working', '')
  while (!existsSync('go')) Atomics.wait(sleeper, 0, 0, 5)
}

// biome-ignore lint/style/noDefaultExport: a job file is loaded by its default export
export default counting
