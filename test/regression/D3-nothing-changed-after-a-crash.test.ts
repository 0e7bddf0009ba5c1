import { job, json, keyValueStore, string, topic } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { COMMIT_STEPS } from '../../src/ports/steps.ts'
import { mortal } from '../laws/support/mortal.ts'
import { WORLDS } from '../laws/support/worlds.ts'
import { Field } from './support/field.ts'

const rows = topic('in', { key: string(), value: json<number>() })
const changes = topic('out', { key: string(), value: json<number>() })

const SAID = { stores: { said: keyValueStore(string(), json<number>()) }, value: json<number>() }

/** Says a row's value where it differs from the one that was said last. */
const onChange = job('on-change', {}, ({ table }) => {
  table(rows, 'rows')
    .toStream()
    .processValues('changes', SAID, ({ stores: { said } }, forward) => {
      return ({ key, value }) => {
        if (value === null || said.get(key) === value) return
        said.put(key, value)
        forward({ value })
      }
    })
    .to(changes)
})

describe.each(Object.entries(WORLDS))('D3: what is only said when it changes, in the %s log', (_, makeWorld) => {
  it.each(COMMIT_STEPS)('is said once where the process died before %s', async (step) => {
    const world = makeWorld()
    const before = new Field(world)
    await before.topic('in')
    await before.write('in', 'p0/0 a→1 @1')
    let died = () => false
    const dying = before.run(onChange, {}, (env) => {
      const process = mortal(env, { step, nth: 1 })
      died = process.died
      return process.env
    })
    await dying.catch((error: unknown) => {
      if (!died()) throw error
    })
    expect(died()).toBe(true)
    before.crash()
    const field = new Field({ ...world, end: async () => {} })
    await field.run(onChange)
    expect(await field.out('out')).toEqual(['a→1 @1'])
    await field.write('in', 'p0/1 a→1 @2', 'p0/2 a→2 @3')
    await field.run(onChange)
    expect(await field.out('out')).toEqual(['a→1 @1', 'a→2 @3'])
  })
})
