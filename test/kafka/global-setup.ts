import type { TestProject } from 'vitest/node'
import { kafkaClassPath, missingProgram } from './broker/java.ts'
import type { KafkaOffer } from './offer.ts'
import { endRun, makeRunFolder, sweepRuns } from './run-folder.ts'

/** Says whether there is Kafka for the suites that need it; ends the broker, if one was started, after the last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const offer = await kafkaFor(process.argv)
  project.provide('kafka', offer)
  const say = () => {
    if (offer.kind === 'none' && offer.why !== NOT_ASKED_FOR)
      process.stderr.write(`\nTHE SUITES FOR KAFKA ARE SKIPPED: ${offer.why}\n`)
  }
  say()
  return async () => {
    say() // what was said first has scrolled away
    if (offer.kind === 'own') await endRun(offer.folder)
  }
}

async function kafkaFor(argv: readonly string[]): Promise<KafkaOffer> {
  const bootstrap = process.env.TIDEMARK_TEST_KAFKA
  if (bootstrap) return { kind: 'given', bootstrap }
  if (!isAskedFor(argv)) return { kind: 'none', why: NOT_ASKED_FOR }
  const missing = missingProgram()
  if (missing !== undefined) {
    return { kind: 'none', why: `there is no ${missing}, and TIDEMARK_TEST_KAFKA names no broker` }
  }
  try {
    kafkaClassPath()
  } catch (error) {
    return { kind: 'none', why: `its jars cannot be fetched. ${error instanceof Error ? error.message : error}` }
  }
  await sweepRuns()
  return { kind: 'own', folder: makeRunFolder() }
}

const NOT_ASKED_FOR = 'only files are asked for that do not need it'
const PLACES = ['test/kafka', 'test/contract/log/kafka']

/** False where only files are asked for that need no broker. */
function isAskedFor(argv: readonly string[]): boolean {
  const asked = argv.filter((word) => word.startsWith('test/') && !word.endsWith('.config.ts'))
  return (
    asked.length === 0 || asked.some((path) => PLACES.some((place) => path.startsWith(place) || place.startsWith(path)))
  )
}
