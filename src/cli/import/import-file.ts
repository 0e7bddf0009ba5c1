import type { Files } from '../../compose.ts'
import { TidemarkError } from '../../core/errors.ts'
import { partitionsOf } from '../../core/offsets.ts'
import type { Log } from '../../ports/log.ts'
import type { Io } from '../io.ts'
import { countOf } from '../output/words.ts'
import { findTopic } from '../topics/find-topic.ts'
import { type ImportReport, importReport, leftAlone } from './import-report.ts'
import type { ImportRequest } from './import-request.ts'
import { readFile } from './read-file.ts'
import { RecordCollector } from './record-collector.ts'

/**
 * Imports all rows of a file into a topic, or none: the file is read and encoded to its end before the log is touched,
 * and the records are appended as one. Makes the topic where there is none.
 */
export async function importFile(request: ImportRequest, log: Log, files: Files, io: Io): Promise<ImportReport> {
  const started = performance.now()
  const { topic } = request
  const ends = await endsOf(topic, log)
  requirePartitions(request, ends)
  const had = ends?.reduce((sum, end) => sum + end, 0) ?? 0
  if (request.ifEmpty && ends !== undefined && had > 0) {
    return leftAlone(request, ends, `${topic} has had ${countOf(had, 'record')} already: nothing was imported.`)
  }
  const partitions = ends?.length ?? request.partitions ?? 1
  const spool = new files.BatchSpool(topic, request.spoolFolder)
  const progress = await io.progress(files.storedBytes(request.file), 'bytes')
  try {
    const reading = { files, progress, stop: io.stopSignal(), now: io.now() }
    const { collected, ...read } = await readFile(request, reading, () => {
      spool.clear()
      return new RecordCollector(topic, partitions, spool)
    })
    io.stopSignal().throwIfAborted()
    await append(log, topic, ends === undefined ? partitions : undefined, spool)
    return importReport(request, {
      created: ends === undefined,
      read,
      collected,
      ends: (await endsOf(topic, log)) ?? [],
      durationMs: performance.now() - started,
    })
  } finally {
    progress.stop()
    spool.clear()
  }
}

/** The next offset of every partition; undefined where there is no such topic. */
async function endsOf(topic: string, log: Log): Promise<readonly number[] | undefined> {
  const description = await findTopic(log, topic)
  if (description === undefined) return undefined
  const asked = partitionsOf(topic, description.partitions)
  const bounds = await log.bounds(asked, 'read_uncommitted')
  return bounds.map(({ highWatermark }) => highWatermark)
}

function requirePartitions({ topic, partitions }: ImportRequest, ends: readonly number[] | undefined): void {
  if (ends === undefined || partitions === undefined || partitions === ends.length) return
  throw new TidemarkError('USAGE', `${topic} has ${countOf(ends.length, 'partition')}, not ${partitions}`, {
    at: { topic },
    hint: 'Leave --partitions out, or give the topic as many first.',
  })
}

/** Makes the topic where it is to be made with so many partitions. One that stays without its records is taken back. */
async function append(log: Log, topic: string, partitions: number | undefined, spool: RecordSpool): Promise<void> {
  const admin = log.admin()
  if (partitions !== undefined) await admin.create({ name: topic, partitions })
  try {
    await admin.append(spool.batches())
  } catch (error) {
    if (partitions !== undefined) await admin.delete(topic)
    throw error
  }
}

type RecordSpool = InstanceType<Files['BatchSpool']>
