import { describe, expect, it } from 'vitest'
import { type DescribedTopology, describeJson } from '../../../src/topology/describe/describe-json.ts'
import { describeTopology } from '../../../src/topology/describe/describe-topology.ts'
import { carrierDelays, everything } from './jobs.ts'

describe.each([carrierDelays, everything])('the topology of $name', ({ name, topology }) => {
  it('is text for people', async () => {
    await expect(describeTopology(topology, 'text')).toMatchFileSnapshot(`golden/${name}.txt`)
  })

  it('is a Mermaid flowchart', async () => {
    await expect(describeTopology(topology, 'mermaid')).toMatchFileSnapshot(`golden/${name}.mmd`)
  })

  it('is JSON data', async () => {
    const described: DescribedTopology = JSON.parse(describeTopology(topology, 'json'))
    expect(described).toEqual(describeJson(topology))
    for (const { where } of described.nodes) expect(where?.file).toMatch(/\/test\/unit\/topology\/jobs\.ts$/)
    const nodes = described.nodes.map((node) => ({ ...node, where: null }))
    await expect(JSON.stringify({ ...described, nodes }, null, 2)).toMatchFileSnapshot(`golden/${name}.json`)
  })
})
