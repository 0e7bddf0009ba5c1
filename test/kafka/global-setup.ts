import type { TestProject } from 'vitest/node'
import { kafkaClassPath, missingProgram } from './broker/java.ts'
import { type KafkaOffer, ownMissing } from './offer.ts'
import { endRun, makeRunFolder, sweepRuns } from './run-folder.ts'
import { skippedSuites } from './unmet-need.ts'

/** Says whether there is Kafka for the suites that need it; ends the broker, if one was started, after the last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const offer = await kafkaFor(process.argv)
  project.provide('kafka', offer)
  const say = () => {
    const skipped = skippedSuites(offer)
    if (skipped === undefined || ownMissing(offer) === NOT_ASKED_FOR) return
    process.stderr.write(`\n${skipped.replace(/^[^:]*/, (which) => which.toUpperCase())}\n`)
  }
  say()
  return async () => {
    say() // what was said first has scrolled away
    if ('folder' in offer.own) await endRun(offer.own.folder)
  }
}

async function kafkaFor(argv: readonly string[]): Promise<KafkaOffer> {
  const given = process.env.TIDEMARK_TEST_KAFKA || undefined
  if (!isAskedFor(argv)) return { given, own: { missing: NOT_ASKED_FOR } }
  const program = missingProgram()
  if (program !== undefined) {
    const lacking = given === undefined ? ', and TIDEMARK_TEST_KAFKA names no broker' : ''
    return { given, own: { missing: `there is no ${program}${lacking}` } }
  }
  try {
    kafkaClassPath()
  } catch (error) {
    return {
      given,
      own: { missing: `its jars cannot be fetched. ${error instanceof Error ? error.message : error}` },
    }
  }
  await sweepRuns()
  return { given, own: { folder: makeRunFolder() } }
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
