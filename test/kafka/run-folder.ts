import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from './broker/cluster.ts'

const PREFIX = 'tidemark-kafka-'

/** A folder for the brokers of one test run, marked with the process that ends them. */
export function makeRunFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  mkdirSync(join(folder, 'clusters'))
  writeFileSync(join(folder, 'owner'), String(process.pid))
  return folder
}

/** The folder of one cluster of the run. */
export function clusterFolder(runFolder: string, name: string): string {
  return join(runFolder, 'clusters', name)
}

/** Ends all brokers of a run and removes what they left. */
export async function endRun(folder: string): Promise<void> {
  for (const name of readdirSync(join(folder, 'clusters'))) {
    await Cluster.at(clusterFolder(folder, name))?.stop('SIGKILL')
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Ends the brokers of runs that were killed before they could do so themselves. */
export async function sweepRuns(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    if (!isOwned(folder) && ownsItsProcesses(folder)) await endRun(folder)
  }
}

/** A folder without a name of its owner has just been made. */
function isOwned(folder: string): boolean {
  const owner = join(folder, 'owner')
  if (!existsSync(owner)) return true
  try {
    process.kill(Number(readFileSync(owner, 'utf8')), 0)
    return true
  } catch {
    return false
  }
}

/** False where a process id that was noted belongs to something else by now. */
function ownsItsProcesses(folder: string): boolean {
  const nodes = readdirSync(join(folder, 'clusters')).flatMap(
    (name) => Cluster.at(clusterFolder(folder, name))?.nodes ?? [],
  )
  return nodes.every(({ pid }) => pid === undefined || commandOf(pid).includes(folder))
}

function commandOf(pid: number): string {
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? ''
}
