import { join } from 'node:path'
import { importFile } from '../../../src/cli/import/import-file.ts'
import type { ImportRequest } from '../../../src/cli/import/import-request.ts'
import { openFiles } from '../../../src/compose.ts'
import type { Log } from '../../../src/ports/log.ts'
import { testIo } from '../../unit/cli/test-io.ts'

type Shipped = Pick<ImportRequest, 'topic' | 'file' | 'key' | 'timestamp'> & { readonly partitions?: number }

const FLIGHTS: Shipped = {
  topic: 'flights',
  file: 'flights-2013-01.csv.gz',
  key: ['carrier'],
  timestamp: 'time_hour',
  partitions: 4,
}

/** What the pages tell to import for each job. */
const SHIPPED: Readonly<Record<string, readonly Shipped[]>> = {
  'carrier-delays': [
    { topic: 'airlines', file: 'airlines.csv', key: ['carrier'], timestamp: '2012-12-01T00:00Z' },
    FLIGHTS,
  ],
  'wind-delays': [
    { topic: 'weather', file: 'weather-2013-01.csv.gz', key: ['origin'], timestamp: 'time_hour' },
    FLIGHTS,
  ],
  customers: [
    { topic: 'employment', file: 'employment.jsonl', key: ['person'], timestamp: 'at' },
    { topic: 'purchases', file: 'purchases.jsonl', key: ['person'], timestamp: 'at' },
  ],
}

/** Imports what a job reads, as `tidemark log import` does. `folder` is for what waits on its way. */
export async function importShipped(job: string, data: string, log: Log, folder: string): Promise<void> {
  for (const { file, partitions, ...shipped } of SHIPPED[job] ?? []) {
    const format = file.includes('.csv') ? 'csv' : 'jsonl'
    const request: ImportRequest = {
      ...shipped,
      format,
      partitions,
      file: join(data, file),
      keySeparator: '|',
      delimiter: ',',
      columns: { types: new Map(), nullText: 'NA' },
      ifEmpty: false,
      spoolFolder: folder,
    }
    await importFile(request, log, await openFiles(), testIo())
  }
}
