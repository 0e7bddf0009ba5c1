import type { Serde } from '../serde/serde.ts'
import { invalidJob } from '../topology/invalid-job.ts'
import type { Where } from '../topology/nodes.ts'

/** A serde that has to be known. Throws JOB_INVALID where it is not: the types say so too, to those who use them. */
export function known(serde: Serde<unknown> | null | undefined, what: string, where: Where | null): Serde<unknown> {
  if (serde !== null && serde !== undefined) return serde
  throw invalidJob(where, `${what} is not known`, 'Give one, as in groupByKey(string()) or reduce(name, fn, json()).')
}
