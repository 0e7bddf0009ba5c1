import { job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { describeJson } from '../../../src/topology/describe/describe-json.ts'
import { describeMermaid } from '../../../src/topology/describe/describe-mermaid.ts'
import { describeText } from '../../../src/topology/describe/describe-text.ts'
import { storesOf } from '../../../src/topology/stores-of.ts'
import { TOPOLOGIES } from '../../conformance/topologies/all.ts'
import { carrierDelays, everything, joins } from './jobs.ts'
import { windowing } from './windowing.ts'

describe.each(Object.entries(TOPOLOGIES))('the description of %s', (_, build) => {
  it('names every node and every store', () => {
    const described = job('described', {}, build)
    const { nodes } = described.topology
    const names = nodes.flatMap((node) => [node.name, ...storesOf(node).map(({ name }) => name)])
    const json = describeJson(described)
    expect(json.nodes.map(({ name }) => name)).toEqual(nodes.map(({ name }) => name))
    for (const text of [describeText(described), describeMermaid(described), JSON.stringify(json)]) {
      for (const name of names) expect(text).toContain(name)
    }
  })
})

describe.each([carrierDelays, everything, joins, windowing])('the description of $name', (job) => {
  it('is text for people', async () => {
    await expect(describeText(job)).toMatchFileSnapshot(`golden/${job.name}.txt`)
  })

  it('is a Mermaid flowchart', async () => {
    await expect(describeMermaid(job)).toMatchFileSnapshot(`golden/${job.name}.mmd`)
  })

  it('is JSON data', async () => {
    const described = describeJson(job)
    for (const { where } of described.nodes)
      expect(where?.file).toMatch(/\/test\/unit\/topology\/(jobs|windowing)\.ts$/)
    const nodes = described.nodes.map((node) => ({ ...node, where: null }))
    await expect(JSON.stringify({ ...described, nodes }, null, 2)).toMatchFileSnapshot(`golden/${job.name}.json`)
    expect(JSON.parse(JSON.stringify(described))).toEqual(described)
  })
})
