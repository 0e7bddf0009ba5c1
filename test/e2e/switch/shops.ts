/** A job that sums sales by shop into a table of its own, in small slices. `add` is what is made of an amount. */
export function tally(
  add: string,
  topics: { readonly sales: string; readonly totals: string },
  name = 'tally',
): string {
  return `import { job, json, string, topic } from 'tidemark'
const sales = topic('${topics.sales}', { key: string(), value: json<{ amount: number }>() })
const totals = topic('${topics.totals}', { key: string(), value: json<number>() })
export default job('${name}', { sliceRecords: 3, schedule: '* * * * * *' }, ({ stream }) => {
  stream(sales)
    .groupByKey()
    .aggregate('total', { init: () => 0, add: (sum, { amount }) => sum + ${add}, serde: json<number>() })
    .to(totals, { owner: true })
})
`
}

/** The version with the bug: it loses what is behind the point. */
export const WRONG = 'Math.trunc(amount)'
export const RIGHT = 'amount'

/** Sales of these shops: those with whole amounts are summed right by either version. */
export const FIRST = ['a 1.5', 'b 2', 'c 2.25', 'd 4', 'e 0.5', 'f 1', 'a 1', 'g 7.75']
export const LATER = ['c 1.5', 'h 0.25']
export const LAST = ['a 1.5', 'b 1', 'h 2']

export function asJsonLines(sales: readonly string[]): string {
  return sales
    .map((sale) => {
      const [shop, amount] = sale.split(' ')
      return `${JSON.stringify({ shop, amount: Number(amount) })}\n`
    })
    .join('')
}

/** The table that a version comes to. */
export function totalsOf(
  sales: readonly string[],
  round: (amount: number) => number,
): Readonly<Record<string, number>> {
  const totals: Record<string, number> = {}
  for (const sale of sales) {
    const [shop = '', amount] = sale.split(' ')
    totals[shop] = (totals[shop] ?? 0) + round(Number(amount))
  }
  return totals
}
