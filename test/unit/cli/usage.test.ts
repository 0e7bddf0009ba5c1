import { describe, expect, it, vi } from 'vitest'
import { command, type Verb } from '../../../src/cli/command.ts'
import { runVerb } from '../../../src/cli/parse.ts'
import { testIo } from './test-io.ts'

const VERBS: readonly Verb[] = [
  {
    usage: 'go <where>',
    summary: 'goes',
    load: async () =>
      command(
        (yargs) =>
          yargs
            .positional('where', { type: 'string', demandOption: true })
            .option('as-far-as', { type: 'string' })
            .option('times', { type: 'number', default: 1 })
            .option('by', { type: 'string', array: true }),
        async (args, io) => {
          io.result({ where: args.where, far: args.asFarAs, times: args.times, by: args.by, log: args.log }, () => '')
          return args.where === 'astray' ? 75 : undefined
        },
      ),
  },
  {
    usage: 'broken',
    summary: 'cannot be loaded',
    load: () => Promise.reject(new Error('no such module')),
  },
  {
    usage: 'above',
    summary: 'has a verb that is meant where none is named',
    load: async () => [
      {
        usage: '$0 <here>',
        summary: 'looks',
        load: async () =>
          command(
            (yargs) => yargs.positional('here', { type: 'string', demandOption: true }),
            async ({ here }, io) => {
              io.result(`looked ${here}`, () => '')
              return undefined
            },
          ),
      },
      { usage: 'sky', summary: 'flies', load: () => Promise.reject(new Error('no such module')) },
    ],
  },
  {
    usage: 'below',
    summary: 'has verbs',
    load: async () => [
      {
        usage: 'ground',
        summary: 'digs',
        load: async () =>
          command(
            (yargs) => yargs,
            async (_, io) => {
              io.result('dug', () => '')
              return undefined
            },
          ),
      },
    ],
  },
]

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const io = testIo()
  const status = await runVerb(args, VERBS, io, env)
  return { status, results: io.results, notices: io.notices }
}

describe('the command line', () => {
  it('gives a verb its arguments as text, numbers only where they are declared', async () => {
    const { results } = await run(['go', '007', '--as-far-as=-6h', '--times', '3', '--by', 'land', '--by', 'sea'])
    expect(results).toEqual([
      { where: '007', far: '-6h', times: 3, by: ['land', 'sea'], log: 'sqlite:.tidemark/log.db' },
    ])
  })

  it('takes the log from the option, else from the environment', async () => {
    const env = { TIDEMARK_LOG: 'sqlite:a.db' }
    expect((await run(['go', 'x'], env)).results).toMatchObject([{ log: 'sqlite:a.db' }])
    expect((await run(['go', 'x', '--log', 'sqlite:b.db'], env)).results).toMatchObject([{ log: 'sqlite:b.db' }])
  })

  it('ends with the status that the verb gives', async () => {
    expect((await run(['go', 'astray'])).status).toBe(75)
    expect((await run(['go', 'home'])).status).toBe(0)
  })

  it('finds verbs below verbs', async () => {
    expect((await run(['below', 'ground'])).results).toEqual(['dug'])
  })

  it('finds the verb that is meant where none is named, and calls it as a person does', async () => {
    expect((await run(['above', 'there'])).results).toEqual(['looked there'])
    await expect(run(['above'])).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Call it as: tidemark above <here>. See tidemark above --help',
    })
  })

  it('shows the help of a verb that is meant where none is named', async () => {
    const shown = vi.spyOn(console, 'log').mockImplementation(() => {})
    expect((await run(['above', '--help'])).status).toBe(0)
    expect(shown.mock.calls.flat().join()).toContain('tidemark above <here>')
    expect(shown.mock.calls.flat().join()).toContain('tidemark above sky')
    shown.mockRestore()
  })

  it('loads only what is called', async () => {
    expect((await run(['go', 'x'])).status).toBe(0)
    await expect(run(['broken'])).rejects.toThrow('no such module')
  })

  it('shows what there is when nothing is asked', async () => {
    const { status, notices } = await run([])
    expect(status).toBe(64)
    expect(notices.join()).toContain('goes')
  })

  it.each([
    [['goo', 'x'], 'there is no such command', 'Did you mean go?'],
    [['go'], 'an argument is missing', 'tidemark go <where>'],
    [['go', 'x', 'y'], 'unknown argument: y', 'tidemark go --help'],
    [['go', 'x', '--far'], 'unknown argument: far', 'tidemark go --help'],
    [['go', 'x', '--as-far-as'], '--as-far-as has no value', '--as-far-as=VALUE'],
    [['go', 'x', '--as-far-as', 'a', '--as-far-as', 'b'], '--as-far-as is given twice', 'once'],
    [['go', 'x', '--times', 'many'], '--times is not a number', '--times=NUMBER'],
    [['go', 'x', '--log', ''], '--log has no value', '--log=VALUE'],
    [['below'], 'a command is missing', 'tidemark below --help'],
    [['below', 'grund'], 'there is no such command', 'Did you mean ground?'],
  ])('refuses %j', async (args, message, hint) => {
    await expect(run(args)).rejects.toMatchObject({ code: 'USAGE', message, hint: expect.stringContaining(hint) })
  })
})
