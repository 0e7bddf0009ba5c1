import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Figure, median } from './figure.ts'

const LOADER = fileURLToPath(new URL('../../dist/compose.js', import.meta.url))
const JOBS = fileURLToPath(new URL('../../jobs', import.meta.url))

/** Loading a job file in a new process, the second time. */
export async function measureJobFiles(folder: string): Promise<readonly Figure[]> {
  mkdirSync(folder)
  const script = `
    const { loadJob } = await import(${JSON.stringify(LOADER)})
    const started = performance.now()
    await loadJob('carrier-delays', ${JSON.stringify(JOBS)}, ${JSON.stringify(folder)})
    console.log(performance.now() - started)`
  const load = () => Number(spawnSync(process.execPath, ['--input-type=module', '-e', script]).stdout)
  load()
  const times = Array.from({ length: 5 }, load)
  return [
    { name: 'a job file, the second time', value: median(times), unit: 'ms', limit: { kind: 'at-most', value: 100 } },
  ]
}
