import { cpSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe } from 'vitest'
import { SqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { startIn, workplace } from '../helpers/tidemark.ts'
import { asJsonLines, FIRST, LATER, RIGHT, tally, WRONG } from './shops.ts'
import { switchTests } from './switch-tests.ts'
import { call, type Place } from './switch-world.ts'

const TOPICS = { sales: 'sales', totals: 'totals' }

describe('a switch on the embedded log', () => {
  const root = workplace()
  let made: Place

  beforeAll(async () => {
    made = placeAt(join(root.path, 'made'))
    root.file('made/jobs/tally.ts', tally(WRONG, TOPICS))
    root.file('made/jobs/tally-2.ts', tally(RIGHT, TOPICS))
    await sell(made, FIRST)
    await call(made, 'run', 'tally')
    await call(made, 'reprocess', 'tally', '--as', 'g2', '--with', 'jobs/tally-2.ts')
    await sell(made, LATER)
    await call(made, 'run', 'tally')
  }, 60_000)

  switchTests({
    async place() {
      const folder = mkdtempSync(join(root.path, 'place-'))
      cpSync(made.folder, folder, { recursive: true })
      return placeAt(folder)
    },
    sell,
    timeoutMs: 180_000,
  })
})

function placeAt(folder: string): Place {
  return {
    folder,
    topics: TOPICS,
    start: (args, env) => startIn(folder, args, env),
    openLog: () => SqliteLog.open(join(folder, '.tidemark', 'log.db')),
  }
}

async function sell(place: Place, sales: readonly string[]): Promise<void> {
  writeFileSync(join(place.folder, 'sales.jsonl'), asJsonLines(sales))
  await call(place, 'log', 'import', 'sales', 'sales.jsonl', '--key', 'shop')
}
