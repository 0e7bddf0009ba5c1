import { type JobBuilder, type JobOptions, job, type KStream, string } from 'tidemark'
import { describe, expect, it } from 'vitest'
import { invalid, numbers, others, out } from './topics.ts'

const copies = ({ stream }: JobBuilder) => stream(numbers).to(out)

describe('a job', () => {
  it('is frozen data with every default filled in', () => {
    const { kind, name, settings, topology } = job('copies', {}, copies)
    expect({ kind, name }).toEqual({ kind: 'tidemark-job', name: 'copies' })
    expect(settings).toMatchObject({
      schedule: null,
      timezone: 'UTC',
      start: 'earliest',
      isolation: 'read_committed',
      onBadData: 'fail',
      onUserError: 'fail',
      deadLetterTopic: null,
      maxFutureSkew: null,
    })
    for (const value of [settings, topology, topology.nodes, ...topology.nodes, topology.nodes[0]?.where]) {
      expect(Object.isFrozen(value)).toBe(true)
    }
    expect(topology.nodes.map(({ id }) => id)).toEqual([0, 1])
  })

  it('takes what it is given', () => {
    const options: JobOptions = {
      schedule: '0 */6 * * *',
      timezone: 'Europe/Berlin',
      onBadData: 'dead-letter',
      deadLetterTopic: 'dead',
      // biome-ignore lint/suspicious/noThenProperty: a policy
      maxFutureSkew: { limit: '1h', then: 'skip' },
      maxSkipped: 0,
    }
    expect(job('copies', options, copies).settings).toMatchObject({
      ...options,
      // biome-ignore lint/suspicious/noThenProperty: a policy
      maxFutureSkew: { limitMs: 3_600_000, then: 'skip' },
    })
  })

  it.each([
    [{ timezone: 'Mars/Olympus' }, /there is no time zone Mars\/Olympus$/],
    [{ onBadData: 'dead-letter' }, /dead letters have no topic$/],
    [{ onUserError: 'dead-letter', deadLetterTopic: 'out' }, /the topic out is used beside its dead letters$/],
    [{ maxSkipped: -1 }, /maxSkipped cannot be -1$/],
    [{ sliceRecords: 0 }, /sliceRecords cannot be 0$/],
    [{ sliceBytes: 1.5 }, /sliceBytes cannot be 1.5$/],
    [{ schedul: '* * * * *' } as JobOptions, /a job has no option schedul$/],
    [{ onBadData: 'ignore' } as unknown as JobOptions, /onBadData cannot be ignore$/],
    [{ isolation: 'serializable' } as unknown as JobOptions, /isolation cannot be serializable$/],
  ] satisfies [JobOptions, RegExp][])('refuses %o', (options, message) => {
    expect(() => job('copies', options, copies)).toThrowError(expect.objectContaining(invalid(message)))
  })

  it.each(['', 'a/b', 'a b', '..', 'ü', 'x'.repeat(201)])('is not called "%s"', (name) => {
    expect(() => job(name, {}, copies)).toThrowError(expect.objectContaining(invalid(/job/)))
  })

  it('is not built asynchronously', () => {
    const build: (builder: JobBuilder) => void = async (builder) => copies(builder)
    expect(() => job('j', {}, build)).toThrowError(expect.objectContaining(invalid('the build function of j is async')))
  })

  it('is not changed when it is built', () => {
    let kept: KStream<string, number> | undefined
    job('j', {}, ({ stream }) => {
      kept = stream(numbers)
    })
    expect(() => kept?.to(out)).toThrowError(expect.objectContaining(invalid('the job is already built')))
  })

  it('reads at least one topic', () => {
    expect(() => job('j', {}, () => undefined)).toThrowError(expect.objectContaining(invalid('the job reads no topic')))
  })

  it('uses its own streams and tables alone', () => {
    let kept: KStream<string, number> | undefined
    job('one', {}, ({ stream }) => {
      kept = stream(others)
    })
    const two = ({ stream }: JobBuilder) => kept !== undefined && stream(numbers).merge(kept)
    expect(() => job('two', {}, two)).toThrowError(expect.objectContaining(invalid('of another job is used')))
  })
})

describe('where', () => {
  it('is the file and line of the call', () => {
    const lines: number[] = []
    const { nodes } = job('j', {}, ({ stream }) => {
      lines.push(lineHere(), lineHere() + 1)
      stream(numbers).to(out)
    }).topology
    expect(nodes.map(({ where }) => where?.line)).toEqual([lines[1], lines[1]])
    expect(nodes.map(({ where }) => where?.file)).toEqual([
      expect.stringMatching(/^\/.*job\.test\.ts$/),
      expect.anything(),
    ])
  })

  it('leads every message', () => {
    const build = ({ stream }: JobBuilder) => stream(numbers).groupByKey().count('a/b')
    expect(() => job('j', {}, build)).toThrowError(
      expect.objectContaining(invalid(/^\/.*job\.test\.ts:\d+: a store cannot be called "a\/b"$/)),
    )
  })
})

describe('names', () => {
  it.each([
    [
      'two stores',
      ({ stream }) => {
        stream(numbers).groupByKey().count('same')
        stream(others).toTable('same')
      },
      /two steps are called same \(first at .*job\.test\.ts:\d+\)$/,
    ],
    [
      'a store and the store of a topic',
      ({ stream, table }) => {
        stream(numbers)
          .groupByKey()
          .count('others')
          .toStream()
          .join(table(others), () => 1)
      },
      /two stores are called others/,
    ],
    [
      'no name',
      ({ stream }) =>
        stream(numbers)
          .groupByKey()
          .count(undefined as unknown as string),
      /a store has no name$/,
    ],
    ['a slash', ({ table }) => table(numbers, 'a/b'), /a store cannot be called "a\/b"$/],
  ] satisfies [string, (builder: JobBuilder) => unknown, RegExp][])('refuses %s', (_, build, message) => {
    expect(() => job('j', {}, (builder) => void build(builder))).toThrowError(expect.objectContaining(invalid(message)))
  })

  it('of stores and topics may be the same', () => {
    const { nodes } = job('j', {}, ({ stream }) => {
      stream(numbers).groupByKey().count('numbers').toStream().to(out)
      stream(others).groupBy(String, string()).count('out')
    }).topology
    expect(nodes.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['numbers', 'numbers:stream', 'out', 'out:sink']),
    )
  })
})

function lineHere(): number {
  return Number(/:(\d+):\d+\)?$/.exec(new Error().stack?.split('\n')[2] ?? '')?.[1])
}
