import { job, json, string, sum, topic } from 'tidemark'

interface Purchase {
  readonly item: string
  readonly cents: number
}

interface Employment {
  readonly company: string
}

interface Customer {
  readonly cents: number
  readonly company: string | null
}

const purchases = topic('purchases', { key: string(), value: json<Purchase>() })
const employment = topic('employment', { key: string(), value: json<Employment>() })
const customers = topic('customers', { key: string(), value: json<Customer>() })
const headcounts = topic('headcounts', { key: string(), value: json<number>() })

/**
 * The two readings of a topic. Purchases are a stream: each one adds to what a person has spent. Employment is a table:
 * each record replaces the one before, and a tombstone ends it.
 */
export default job('customers', { schedule: '0 * * * *', timezone: 'UTC' }, ({ stream, table }) => {
  const employers = table(employment, 'employers')

  employers
    .groupBy((record) => [record.company, record.company], string())
    .count('headcount')
    .to(headcounts)

  stream(purchases)
    .groupByKey()
    .aggregate(
      'spent',
      sum((purchase) => purchase.cents),
    )
    .toStream()
    .leftJoin(employers, (cents, employer) => ({ cents, company: employer?.company ?? null }))
    .to(customers)
})
