import type { JobBuilder } from 'tidemark'
import { both } from './table-joins.ts'
import { colored, ints, left, out, right, text } from './topics.ts'
import type { TopologySet } from './topology-set.ts'

const options = { historyRetention: '10m' } as const

const versioned = ({ table }: JobBuilder) => table(right, 'table', options)

export const versionedTables: TopologySet = {
  'stream-table-versioned-inner': (builder) => {
    builder.stream(left).join(versioned(builder), both).to(out)
  },
  'stream-table-versioned-left': (builder) => {
    builder.stream(left).leftJoin(versioned(builder), both).to(out)
  },
  'stream-table-versioned-grace-inner': (builder) => {
    builder.stream(left).join(versioned(builder), both, 'waiting', { grace: '2m' }).to(out)
  },
  'stream-table-versioned-grace-left': (builder) => {
    builder.stream(left).leftJoin(versioned(builder), both, 'waiting', { grace: '2m' }).to(out)
  },
  'table-versioned-source': ({ table }) => {
    table(ints, 'table', options).toStream().to(out)
  },
  'table-versioned-filter': ({ table }) => {
    table(ints, 'table', options)
      .filter((v) => v % 2 === 0)
      .toStream()
      .to(out)
  },
  'table-versioned-group-by-count': ({ table }) => {
    table(colored, 'table', options)
      .groupBy((v) => [v.color, v.n], text)
      .count('counts')
      .toStream()
      .to(out)
  },
  'table-table-versioned-inner': ({ table }) => {
    table(left, 'lefts', options)
      .join(table(right, 'rights', options), both)
      .toStream()
      .to(out)
  },
  'table-table-versioned-outer': ({ table }) => {
    table(left, 'lefts', options)
      .outerJoin(table(right, 'rights', options), both)
      .toStream()
      .to(out)
  },
}
