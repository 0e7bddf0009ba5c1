import { job, json, string, sum, topic } from 'tidemark'
import { events, result, settings, users } from './work.ts'

const sums = topic(result, { key: string(), value: json<number | bigint>() })

/** Joins each event with its user, and sums the amounts of each country. */
export default job(result, settings, ({ stream, table }) => {
  const summed = stream(events)
    .join(table(users), ({ amount }, { country }) => ({ country, amount }))
    .groupBy(({ country }) => country, string())
    .aggregate(
      'sums',
      sum(({ amount }) => amount),
    )
  if (settings.changelog) summed.to(sums)
})
