import { type JobBuilder, job, json, string, topic } from 'tidemark'
import { expect } from 'vitest'
import type { Node } from '../../../src/topology/nodes.ts'

export const numbers = topic('numbers', { key: string(), value: json<number>() })
export const others = topic('others', { key: string(), value: json<number>() })
export const out = topic('out', { key: string(), value: json<unknown>(), nullKey: true, nullValue: true })

/** The nodes that a build function makes. */
export function nodesOf(build: (builder: JobBuilder) => void): readonly Node[] {
  return job('j', {}, build).topology.nodes
}

/** Each node as `name <- parents`. */
export function shape(build: (builder: JobBuilder) => void): readonly string[] {
  const nodes = nodesOf(build)
  return nodes.map(({ name, parents }) => [name, ...parents.map((id) => nodes[id]?.name)].join(' < '))
}

/** What an error of a job file looks like. */
export function invalid(message: string | RegExp) {
  return { code: 'JOB_INVALID', message: expect.stringMatching(message), hint: expect.any(String) }
}
