import { gzipSync } from 'node:zlib'
import { openFiles } from '../../../compose.ts'
import { TidemarkError } from '../../../core/errors.ts'
import type { Log } from '../../../ports/log.ts'
import { command } from '../../command.ts'
import type { Io } from '../../io.ts'
import { countOf } from '../../output/words.ts'
import { describeTopic } from '../../topics/describe-topic.ts'
import { type ExportRequest, exportTopic } from '../../topics/export-topic.ts'
import { topicRanges } from '../../topics/topic-ranges.ts'
import { withLog } from '../../with-log.ts'

export const exportRecords = command(
  (yargs) =>
    yargs
      .positional('topic', { type: 'string', demandOption: true, describe: 'its name' })
      .option('out', { alias: 'o', type: 'string', describe: 'the file to write; else stdout' })
      .option('format', { choices: ['jsonl', 'csv'] as const, describe: "else by the file's name; jsonl" })
      .option('values', { type: 'boolean', default: false, describe: 'only the values: no place, time and key' })
      .option('gzip', { type: 'boolean', describe: "compress; else by the file's name" })
      .option('from', {
        type: 'string',
        describe: 'a bound: an offset, topic/0=12,..., a time',
        defaultDescription: 'earliest',
      })
      .option('to', { type: 'string', describe: 'a bound, exclusive', defaultDescription: 'latest' })
      .epilogue(NOTES),
  async (args, io) => {
    const { topic, out, from, to, values: valuesOnly } = args
    if (io.json && out === undefined) {
      throw new TidemarkError('USAGE', 'with --json the records need a file', { hint: 'Add --out FILE.' })
    }
    const format = args.format ?? (/\.csv(\.gz)?$/i.test(out ?? '') ? 'csv' : 'jsonl')
    const gzip = args.gzip ?? /\.gz$/i.test(out ?? '')
    const request = { topic, out, gzip, bounds: { from, to }, format, valuesOnly } as const
    const report = await withLog(args, (log) => exportTo(log, request, io))
    const words = `Exported ${countOf(report.records, 'record')} of ${topic}${out === undefined ? '' : ` to ${out}`}.`
    if (out === undefined) io.notice(words)
    else io.result(report, () => words)
    return undefined
  },
)

const NOTES =
  'Partition after partition, in the order of offsets. A line of jsonl holds partition, offset, timestamp, key, headers ' +
  'and value: the value as it stands where it is JSON, else as valueText or valueBase64; a key that is not text as ' +
  'keyBase64. As csv, every field of the values has a column.'

interface Request extends ExportRequest {
  readonly topic: string
  readonly out: string | undefined
  readonly gzip: boolean
  readonly bounds: { readonly from: string | undefined; readonly to: string | undefined }
}

async function exportTo(log: Log, request: Request, io: Io) {
  const { topic, out, gzip, format, bounds } = request
  const ranges = await topicRanges(log, await describeTopic(log, topic), bounds, io.now())
  const files = await openFiles()
  const file = out === undefined ? undefined : new files.OutputFile(out)
  const total = ranges.reduce((sum, { from, to }) => sum + to - from, 0)
  const progress = await io.progress(total, 'records')
  // Members of gzip data may follow each other: each piece is compressed for itself.
  const encode = (text: string) => (gzip ? gzipSync(text) : Buffer.from(text))
  try {
    const records = await exportTopic(ranges, request, {
      log,
      files,
      progress,
      stop: io.stopSignal(),
      write: async (text) => (file === undefined ? await io.write(encode(text)) : file.write(encode(text))),
    })
    file?.finish()
    const partitions = ranges.map(({ partition, from, to }) => ({ partition, from, to }))
    return { topic, file: out ?? null, format, records, partitions }
  } finally {
    progress.stop()
    file?.abandon()
  }
}
