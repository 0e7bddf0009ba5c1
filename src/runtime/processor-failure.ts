import { isTidemarkError, TidemarkError } from '../core/errors.ts'
import type { Place } from '../core/place.ts'
import type { Node } from '../topology/nodes.ts'
import type { ProcessorParts } from './processor-parts.ts'

/**
 * What came out of the processing of a record, with its place. What user code threw becomes USER_CODE_FAILED, and so does
 * bad data that a step made itself; an error of our own stays what it is, and a defect stays one. The queue is empty
 * afterwards.
 */
export function failureOf(error: unknown, parts: ProcessorParts): unknown {
  const { running, record, graph, queue } = parts
  const node = graph.nodes[running.step]
  const { topic, partition, offset } = record
  const at: Place = {
    ...(node === undefined ? {} : { step: node.name }),
    ...(offset < 0 ? {} : { topic, partition, offset }),
  }
  running.step = -1
  queue.clear()
  if (isTidemarkError(error, 'BAD_DATA') && node !== undefined) return madeBadData(error).locatedAt(at)
  if (isTidemarkError(error)) return error.locatedAt(at)
  if (node === undefined) return error
  return userCodeFailed(where(node), error, at)
}

/** `what` is the function that threw `error`, in words. */
export function userCodeFailed(what: string, error: unknown, at: Place): TidemarkError {
  return new TidemarkError('USER_CODE_FAILED', `${what} failed: ${textOf(error)}`, { at, cause: error, hint: HINT })
}

const HINT = 'Mend the function, or let the job skip or dead-letter such records with onUserError.'

/** A serde refused to write what user code made: that is no bad data of the input's. */
export function madeBadData(error: TidemarkError): TidemarkError {
  const { hint = HINT, at } = error
  return new TidemarkError('USER_CODE_FAILED', error.message, {
    hint,
    cause: error,
    ...(at === undefined ? {} : { at }),
  })
}

function where(node: Node): string {
  const { where } = node
  return where === null
    ? `the function of '${node.name}'`
    : `the function of '${node.name}' (${where.file}:${where.line})`
}

function textOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return String(error)
}
