import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { inject } from 'vitest'
import { Cluster, type ClusterOptions } from './broker/cluster.ts'
import { type KafkaOffer, missing, ownMissing } from './offer.ts'
import { clusterFolder } from './run-folder.ts'

/** For the hooks that start brokers: on a busy machine a broker may take its time. */
export const BROKER_TIMEOUT_MS = 120_000

/** The Kafka of this test run. */
export interface TestKafka {
  /** Why there is none; suites that need one are skipped then. */
  readonly missing: string | undefined
  /** Why no broker can be made, stopped and started at will. */
  readonly ownMissing: string | undefined
  /** `host:port` of the broker that all suites of the run share. The first to ask starts it. */
  bootstrap(): Promise<string>
  /** Brokers of the caller's own; they are stopped by `Cluster.stop`, or with the run at the latest. */
  cluster(options?: ClusterOptions): Promise<Cluster>
}

export function kafkaBroker(): TestKafka {
  const offer = inject('kafka')
  return {
    missing: missing(offer),
    ownMissing: ownMissing(offer),
    bootstrap: () => (offer.given === undefined ? sharedBroker(folderOf(offer)) : Promise.resolve(offer.given)),
    cluster: (options) => Cluster.start(clusterFolder(folderOf(offer), `${process.pid}-${++clusters}`), options),
  }
}

function folderOf({ own }: KafkaOffer): string {
  if ('missing' in own) throw new Error(own.missing)
  return own.folder
}

let clusters = 0

async function sharedBroker(folder: string): Promise<string> {
  const ready = join(folder, 'bootstrap')
  const failed = join(folder, 'failed')
  if (isFirst(join(folder, 'lock'))) {
    try {
      writeFileSync(ready, (await Cluster.start(clusterFolder(folder, 'shared'))).bootstrap)
    } catch (error) {
      writeFileSync(failed, String(error))
    }
  }
  for (;;) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'))
    const bootstrap = existsSync(ready) ? readFileSync(ready, 'utf8') : ''
    if (bootstrap !== '') return bootstrap
    await setTimeout(50)
  }
}

/** Test files run in several processes; one of them makes the folder. */
function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}
