import { job } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { describeJson } from '../../../src/topology/describe/describe-json.ts'
import { describeMermaid } from '../../../src/topology/describe/describe-mermaid.ts'
import { describeText } from '../../../src/topology/describe/describe-text.ts'
import { storesOf } from '../../../src/topology/stores-of.ts'
import { TOPOLOGIES } from '../../conformance/topologies/all.ts'
import { carrierDelays, everything, joins } from './jobs.ts'
import { windowing } from './windowing.ts'

/** As part of a regular expression. */
function escaped(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

describe.each(Object.entries(TOPOLOGIES))('the description of %s', (_, build) => {
  it('names every node and every store', () => {
    const described = job('described', {}, build)
    const { nodes } = described.topology
    const names = nodes.map(({ name }) => name)
    const stores = nodes.map((node) => storesOf(node).map(({ name }) => name))
    const json = describeJson(described)
    expect(json.nodes.map(({ name }) => name)).toEqual(names)
    expect(json.subTopologies.flatMap((part) => part.stores).sort()).toEqual(stores.flat().sort())
    const text = describeText(described)
    const line = (begin: string) => expect.stringMatching(new RegExp(`^${begin}`))
    expect(text.split('\n')).toEqual(expect.arrayContaining(names.map((name) => line(` {2}${escaped(name)} +\\S`))))
    expect(text.split('\n').map((each) => each.trim())).toEqual(
      expect.arrayContaining(stores.flat().map((name) => line(`store ${escaped(name)} \\(`))),
    )
    const chart = describeMermaid(described)
    for (const [index, name] of names.entries()) {
      expect(chart).toMatch(new RegExp(`^ +n${index}\\W+${escaped(name)}<br/>`, 'm'))
      for (const store of stores[index] ?? []) {
        // a node that is called like its store stands for both
        if (store !== name) expect(chart).toMatch(new RegExp(`^ +n${index}\\W.*<br/>store ${escaped(store)}[<"]`, 'm'))
      }
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
