import type { ArgumentsCamelCase, Argv } from 'yargs'
import { TidemarkError } from '../../core/errors.ts'
import type { GlobalOptions } from '../global-options.ts'
import { COLUMN_TYPES, type ColumnType } from './cell-type.ts'
import type { ImportFormat, ImportRequest } from './import-request.ts'

/** The options of `log import`. */
export function importOptions(yargs: Argv<GlobalOptions>) {
  return yargs
    .positional('topic', { type: 'string', demandOption: true, describe: 'made where there is none' })
    .positional('file', { type: 'string', demandOption: true, describe: 'csv or jsonl, plain or gz' })
    .option('format', { choices: ['csv', 'jsonl'] as const, describe: "else by the file's name" })
    .option('key', { type: 'string', describe: 'COLUMN[,COLUMN]: its text is the key; without, records have none' })
    .option('key-separator', { type: 'string', default: '|', describe: 'between the columns of a key' })
    .option('timestamp', {
      type: 'string',
      describe: 'COLUMN (ISO times or epoch ms), or a TIME for all rows; without, the time of the import',
    })
    .option('partitions', { type: 'number', requiresArg: true, describe: 'of a new topic', defaultDescription: '1' })
    .option('null', {
      type: 'string',
      requiresArg: true,
      describe: 'csv: a cell with this text is null; an empty one always is',
    })
    .option('types', { type: 'string', describe: `csv: COLUMN:TYPE,...; types are ${COLUMN_TYPES.join(', ')}` })
    .option('delimiter', { type: 'string', default: ',', describe: 'csv: between cells' })
    .option('if-empty', { type: 'boolean', default: false, describe: 'leave a topic alone that has had records' })
    .epilogue(NOTES)
}

const NOTES =
  'All rows are imported, or none. A row becomes a JSON object of its columns, a line of jsonl stays as it is. A csv ' +
  'column without a given type is of integers, numbers or booleans where every cell of the file is one that JSON writes ' +
  'just so and JavaScript holds exactly; else it is text. Records with the same key go to the same partition, where ' +
  "Kafka's default partitioner puts them; those without key go to the partitions in turn."

type ImportArgs = ArgumentsCamelCase<ReturnType<typeof importOptions> extends Argv<infer T> ? T : never>

/** What the options ask for. Throws USAGE for what contradicts itself. */
export function importRequest(args: ImportArgs, spoolFolder: string): ImportRequest {
  const format = args.format ?? formatOf(args.file)
  if (format === 'jsonl') refuseCsvOptions(args)
  return {
    topic: args.topic,
    file: args.file,
    format,
    key: columnsOf(args.key),
    keySeparator: args.keySeparator,
    timestamp: args.timestamp,
    partitions: partitionsOf(args.partitions),
    delimiter: delimiterOf(args.delimiter),
    columns: { types: typesOf(args.types), nullText: args.null },
    ifEmpty: args.ifEmpty,
    spoolFolder,
  }
}

function formatOf(file: string): ImportFormat {
  const name = file.toLowerCase().replace(/\.gz$/, '')
  if (name.endsWith('.csv')) return 'csv'
  if (name.endsWith('.jsonl') || name.endsWith('.ndjson')) return 'jsonl'
  throw new TidemarkError('USAGE', `the name ${file} does not tell its format`, {
    hint: 'Add --format csv or --format jsonl.',
  })
}

function refuseCsvOptions({ null: nullText, types, delimiter }: ImportArgs): void {
  const given = [
    nullText !== undefined && '--null',
    types !== undefined && '--types',
    delimiter !== ',' && '--delimiter',
  ]
  const [first] = given.filter((option) => option !== false)
  if (first === undefined) return
  throw new TidemarkError('USAGE', `${first} is for csv: a line of jsonl says its own types`, { hint: 'Leave it out.' })
}

/** The log checks it again, but only when the whole file has been read. */
function partitionsOf(partitions: number | undefined): number | undefined {
  if (partitions === undefined || (Number.isSafeInteger(partitions) && partitions >= 1 && partitions <= 10_000)) {
    return partitions
  }
  throw new TidemarkError('USAGE', `a topic cannot have ${partitions} partitions`, {
    hint: 'Give a number from 1 to 10000.',
  })
}

function columnsOf(key: string | undefined): readonly string[] {
  const columns = key === undefined ? [] : key.split(',').map((column) => column.trim())
  if (!columns.includes('') && new Set(columns).size === columns.length) return columns
  throw new TidemarkError('USAGE', `--key ${JSON.stringify(key)} names a column twice or not at all`, {
    hint: 'Write the columns with a comma between them: --key origin,dest',
  })
}

function delimiterOf(text: string): string {
  const delimiter = text === '\\t' || text === 'tab' ? '\t' : text
  if (delimiter.length === 1 && !/["\r\n\ufeff]/.test(delimiter)) return delimiter
  throw new TidemarkError('USAGE', `--delimiter ${JSON.stringify(text)} is not one character`, {
    hint: 'For instance --delimiter ";" or --delimiter tab',
  })
}

function typesOf(text: string | undefined): ReadonlyMap<string, ColumnType> {
  const types = new Map<string, ColumnType>()
  for (const part of text?.split(',') ?? []) {
    const colon = part.lastIndexOf(':')
    const [column, type] = [part.slice(0, colon).trim(), part.slice(colon + 1).trim()]
    if (colon < 1 || !isColumnType(type)) throw badTypes(part)
    if (types.has(column)) throw badTypes(part)
    types.set(column, type)
  }
  return types
}

function isColumnType(text: string): text is ColumnType {
  return (COLUMN_TYPES as readonly string[]).includes(text)
}

function badTypes(part: string): TidemarkError {
  return new TidemarkError(
    'USAGE',
    `--types holds ${JSON.stringify(part)}, which is not COLUMN:TYPE, or is there twice`,
    {
      hint: `Types are ${COLUMN_TYPES.join(', ')}: --types zip:string,price:number`,
    },
  )
}
