import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { isTidemarkError, TidemarkError } from '../../core/errors.ts'

/** What went wrong while a job file was loaded, as JOB_INVALID with file, line and what to do. */
export function loadError(thrown: unknown, path: string, files: readonly string[]): TidemarkError {
  const syntax = syntaxError(thrown) ?? missingModule(thrown, path)
  if (syntax !== undefined) return syntax
  const where = placeOf(thrown, files) ?? shownPath(path)
  if (isTidemarkError(thrown)) {
    const { hint, at, cause } = thrown
    return new TidemarkError('JOB_INVALID', placed(thrown.message, where), {
      ...(hint === undefined ? {} : { hint }),
      ...(at === undefined ? {} : { at }),
      cause: cause ?? thrown,
    })
  }
  const name = thrown instanceof Error && thrown.name !== 'Error' ? `${thrown.name}: ` : ''
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new TidemarkError('JOB_INVALID', `${where}: the job file throws while it is loaded: ${name}${message}`, {
    hint: 'A job file only describes a job: what it does when it is loaded happens at every command.',
    cause: thrown,
  })
}

/** A message with the place of the mistake in front: its own, where it begins with one, else `where`. */
function placed(message: string, where: string): string {
  const [, file, rest] = /^(\/.+?)(:\d+: .*)$/s.exec(message) ?? []
  return file === undefined || rest === undefined ? `${where}: ${message}` : `${shownPath(file)}${rest}`
}

/** A path as people write it: relative where it lies below the current folder. */
export function shownPath(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown === '' || shown.startsWith('..') ? path : shown
}

/** The loader's own report: `ParseError: <what>` and a line with `<file>:<line>:<column>`. */
function syntaxError(thrown: unknown): TidemarkError | undefined {
  const message = thrown instanceof Error ? thrown.message : ''
  const [, what, file, line, column] = /^ParseError: (.*?)\s*\n\s*(.*):(\d+):(\d+)/s.exec(message) ?? []
  if (what === undefined || file === undefined) return undefined
  return new TidemarkError('JOB_INVALID', `${shownPath(file)}:${line}: ${lowered(what)} (column ${column})`, {
    hint: 'It is not valid TypeScript; mend the line.',
    cause: thrown,
  })
}

function missingModule(thrown: unknown, path: string): TidemarkError | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined
  const { message } = thrown as Error
  const specifier = /Cannot find (?:module|package) '([^']+)'/.exec(message)?.[1]
  if (specifier === undefined) return undefined
  const file = /Require stack:\n- (.*)/.exec(message)?.[1] ?? /imported from (\S+)/.exec(message)?.[1] ?? path
  const hint = /^[./]/.test(specifier)
    ? 'There is no such file; the path is taken from the folder of the importing file.'
    : `Install it where the job file is: npm install ${packageOf(specifier)}`
  return new TidemarkError(
    'JOB_INVALID',
    `${shownPath(file)}${lineWith(specifier, file)}: cannot import '${specifier}'`,
    {
      hint,
      cause: thrown,
    },
  )
}

function lineWith(specifier: string, file: string): string {
  try {
    const lines = readFileSync(file, 'utf8').split('\n')
    const index = lines.findIndex((line) => line.includes(`'${specifier}'`) || line.includes(`"${specifier}"`))
    return index < 0 ? '' : `:${index + 1}`
  } catch {
    return ''
  }
}

/** The nearest frame of the stack that lies in one of the files. */
function placeOf(thrown: unknown, files: readonly string[]): string | undefined {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : ''
  for (const frame of stack.split('\n')) {
    const [, file = '', line] = /(?:\(|at )(?:file:\/\/)?([^()\s].*?):(\d+):\d+\)?$/.exec(frame) ?? []
    if (files.includes(file)) return `${shownPath(file)}:${line}`
  }
  return undefined
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
